import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, Input } from '#web/ui/field.tsx'
import styles from './auth.module.css'
import { addressIn } from './address-in.ts'
import { AuthPanel } from './auth-panel.tsx'
import { BackToSignIn } from './back-to-sign-in.tsx'
import { SECOND_STEP, useConfirmEmail } from './queries.ts'
import secondFactorStyles from './second-factor.module.css'

/**
 * The form that confirms an e-mail address and signs in. It needs the token of the link in the e-mail, and the password of the
 * sign-up. The password is required because an attacker may have signed up with another person's address. If the click of this
 * person on the link were enough, the attacker's password would then open the account.
 */
export function ConfirmEmail({ token = '', back }: { token: string | undefined; back: string | undefined }) {
  useTitle('Confirm your email')
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const confirm = useConfirmEmail()
  const email = addressIn(token)
  return (
    <AuthPanel title="Confirm your email">
      <p>
        Enter the password that you chose when you signed up{email ? ' with ' : '.'}
        {email ? <b className="wrap-anywhere">{email}</b> : null}
        {email ? '.' : null}
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setMissing(password === '')
          if (password === '') return
          whenDone(confirm.mutateAsync({ token, password }), {
            onSuccess: (session) => {
              toast({ title: 'Email confirmed' })
              if (session === SECOND_STEP) void navigate({ to: pages.secondStep(), search: { back } })
            },
          })
        }}
      >
        {/* Password managers need the user name of the password. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <Field
          label="Password"
          className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}
          error={missing ? 'Enter your password' : confirm.error ? messageOf(confirm.error) : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={confirm.isPending}>
          {confirm.isPending ? 'Confirming...' : 'Confirm and sign in'}
        </Button>
      </form>
      <p className="mt-3">
        Forgot it, or did another person sign up with your address?{' '}
        <Link className="text-link" to={pages.forgotPassword()} search={{ back }}>
          Set a new password
        </Link>
        , and only the new password opens the account.
      </p>
      <BackToSignIn back={back} />
    </AuthPanel>
  )
}
