import { useId } from 'react'
import { Button } from '#web/ui/button.tsx'
import { FieldError, Input } from '#web/ui/field.tsx'
import styles from './reader.module.css'

interface PasswordFormProps {
  wrong: boolean
  onSubmit: (password: string) => void
}

/** Asks for the password of a protected PDF. The password is used once and not stored. */
export function PasswordForm({ wrong, onSubmit }: PasswordFormProps) {
  const field = useId()
  return (
    <form
      className={styles.message}
      onSubmit={(event) => {
        event.preventDefault()
        const password = new FormData(event.currentTarget).get('password')
        if (typeof password === 'string' && password) onSubmit(password)
      }}
    >
      <h2>This PDF is protected</h2>
      <p>Its password opens the pages here and is not stored.</p>
      <label htmlFor={field}>Password</label>
      <div className="flex w-[min(24rem,100%)] gap-2">
        <Input
          id={field}
          name="password"
          type="password"
          autoComplete="off"
          aria-invalid={wrong}
          aria-describedby={wrong ? `${field}-error` : undefined}
        />
        <Button type="submit">Open</Button>
      </div>
      {wrong ? (
        <FieldError id={`${field}-error`} role="alert">
          This password does not open the PDF. Check it and try again.
        </FieldError>
      ) : null}
    </form>
  )
}
