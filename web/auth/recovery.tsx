import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { newPassword } from '#shared/contract/accounts.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { PASSWORD_MIN_LENGTH } from '#shared/contract/profiles.ts'
import { anything, ApiError, messageOf, request } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, Input } from '#web/ui/field.tsx'
import styles from './auth.module.css'
import { AuthPanel } from './auth-panel.tsx'
import { BackToSignIn } from './back-to-sign-in.tsx'
import { invitationIn } from './invitation-in.ts'
import secondFactorStyles from './second-factor.module.css'

const post = (path: string, body: unknown) =>
  request(path, { method: 'POST', body, schema: anything, keepSession: true })

/**
 * The form that requests a link to reset a password. The response is the same with and without an account, so that it does not
 * reveal which addresses have an account.
 */
export function ForgotPassword({ back }: { back: string | undefined }) {
  useTitle('Forgot password')
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState('')
  const ask = useMutation({
    mutationFn: () => post(api.requestPasswordReset(), { email, invitation: invitationIn(back) }),
  })
  if (ask.isSuccess)
    return (
      <AuthPanel title="Check your email">
        <p role="status">If {email} has an account here, a link to choose a new password was sent to it.</p>
        <BackToSignIn back={back} />
      </AuthPanel>
    )
  return (
    <AuthPanel title="Forgot password?">
      <p>Enter your email, and you will get a link to choose a new password.</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const isWhole = /^\S+@\S+\.\S+$/.test(email.trim())
          setWrong(isWhole ? '' : 'Enter a complete email address')
          if (isWhole) ask.mutate()
        }}
      >
        <Field
          label="Email"
          className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}
          error={wrong || (ask.error ? messageOf(ask.error) : undefined)}
        >
          {(ids) => (
            <Input
              {...ids}
              type="email"
              autoComplete="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={ask.isPending}>
          {ask.isPending ? 'Sending...' : 'Send the link'}
        </Button>
      </form>
      <BackToSignIn back={back} />
    </AuthPanel>
  )
}

const failureOf = (error: Error) =>
  error instanceof ApiError && error.code === 'invalid_token'
    ? 'This link has been used or has expired. Ask for a new one.'
    : messageOf(error)

/**
 * The form that sets a new password. `token` is the token in the reset link. `back` is the path that opens after the next
 * sign-in.
 */
export function ResetPassword({ token, back }: { token: string | undefined; back: string | undefined }) {
  useTitle('New password')
  const navigate = useNavigate()
  const { mail_enabled } = useSite()
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState('')
  const save = useMutation({
    mutationFn: () => post(api.resetPassword(), { token, newPassword: password }),
    onSuccess: () => {
      toast({ title: 'Password changed', description: 'You can sign in now.' })
      void navigate({ to: pages.auth(), search: { back } })
    },
  })
  return (
    <AuthPanel title="Choose a new password">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const checked = newPassword.safeParse(password)
          setWrong(checked.success ? '' : checked.error.issues[0]!.message)
          if (checked.success) save.mutate()
        }}
      >
        <Field
          label="New password"
          className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}
          error={wrong || (save.error ? failureOf(save.error) : undefined)}
          hint={`Password must be at least ${PASSWORD_MIN_LENGTH} characters long`}
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save password'}
        </Button>
      </form>
      {mail_enabled ? (
        <p className="mt-3">
          <Link className="text-link" to={pages.forgotPassword()} search={{ back }}>
            Ask for a new link
          </Link>
        </p>
      ) : null}
    </AuthPanel>
  )
}
