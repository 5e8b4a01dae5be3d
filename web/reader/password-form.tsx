import { useId } from 'react'

interface PasswordFormProps {
  wrong: boolean
  onSubmit: (password: string) => void
}

/** Asks for the password of a protected PDF. The password is used once and not stored. */
export function PasswordForm({ wrong, onSubmit }: PasswordFormProps) {
  const field = useId()
  return (
    <form
      className="reader-message"
      onSubmit={(event) => {
        event.preventDefault()
        const password = new FormData(event.currentTarget).get('password')
        if (typeof password === 'string' && password) onSubmit(password)
      }}
    >
      <h2>This PDF is protected</h2>
      <p>Its password opens the pages here and is not stored.</p>
      <label htmlFor={field}>Password</label>
      <div className="reader-row">
        <div className={wrong ? 'field bad' : 'field'}>
          <input
            id={field}
            name="password"
            type="password"
            autoComplete="off"
            aria-invalid={wrong}
            aria-describedby={wrong ? `${field}-error` : undefined}
          />
        </div>
        <button type="submit" className="btn btn-outline">
          Open
        </button>
      </div>
      {wrong ? (
        <p id={`${field}-error`} role="alert" className="err">
          This password does not open the PDF. Check it and try again.
        </p>
      ) : null}
    </form>
  )
}
