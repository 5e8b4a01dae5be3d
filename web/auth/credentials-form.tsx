import { zodResolver } from '@hookform/resolvers/zod'
import { Link, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { pages } from '#shared/contract/paths.ts'
import { PASSWORD_MIN_LENGTH, PROFILE_FAILED } from '#shared/contract/profiles.ts'
import { messageOf } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, FieldError, Input } from '#web/ui/field.tsx'
import styles from './auth.module.css'
import { SECOND_STEP, useSignIn, useSignUp } from './queries.ts'
import secondFactorStyles from './second-factor.module.css'

const HINT = `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`
const email = z.string().trim().min(1, 'Enter your email').pipe(z.email('Enter a complete email address'))
const signIn = z.object({ email, password: z.string().min(1, 'Enter your password') })
const signUp = z.object({ email, password: z.string().min(PASSWORD_MIN_LENGTH, HINT) })
export type Mode = 'in' | 'up'

/** The form with e-mail address and password, to sign in or to sign up. */
export function CredentialsForm({
  mode,
  email: known = '',
  back,
  invitation,
  onSignedUp,
}: {
  mode: Mode
  back?: string | undefined
  /** The token of the invitation that opens after the sign-in. */
  invitation?: string | undefined
  email?: string
  onSignedUp?: (email: string) => void
}) {
  const { mail_enabled, sign_up, sign_up_domains } = useSite()
  const domains = sign_up === 'open' ? sign_up_domains : []
  const navigate = useNavigate()
  const entering = useSignIn()
  const joining = useSignUp()
  const form = useForm({
    resolver: zodResolver(mode === 'in' ? signIn : signUp),
    defaultValues: { email: known, password: '' },
  })
  const { errors } = form.formState
  const busy = entering.isPending || joining.isPending
  const refusal = entering.error ?? joining.error
  const failed = (error: Error) =>
    toast({ title: 'Authentication failed', description: messageOf(error), destructive: true })
  const submit = form.handleSubmit((values) => {
    if (mode === 'in')
      return whenDone(entering.mutateAsync({ ...values, invitation }), {
        onError: failed,
        onSuccess: (session) => {
          if (session === SECOND_STEP) void navigate({ to: pages.secondStep(), search: { back } })
        },
      })
    whenDone(joining.mutateAsync({ ...values, invitation }), {
      onError: (error) => {
        if (messageOf(error) !== PROFILE_FAILED) return failed(error)
        const description = 'Your account exists. The profile is created when you sign in.'
        toast({ title: PROFILE_FAILED, description, destructive: true })
        onSignedUp?.(values.email)
      },
      onSuccess: () => {
        const description = mail_enabled ? 'Please check your email for the confirmation link.' : 'You can sign in now.'
        toast({ title: 'Sign up successful', description })
        onSignedUp?.(values.email)
      },
    })
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Email"
        error={errors.email?.message}
        hint={mode === 'up' && domains.length > 0 ? `An address of ${domains.join(' or ')}` : undefined}
        className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}
      >
        {(ids) => <Input {...ids} type="email" autoComplete="email" {...form.register('email')} />}
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        hint={HINT}
        className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}
      >
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete={mode === 'in' ? 'current-password' : 'new-password'}
            {...form.register('password')}
          />
        )}
      </Field>
      {mode === 'in' ? (
        <p className="mt-3">
          {mail_enabled ? (
            <Link className="text-link" to={pages.forgotPassword()} search={{ back }}>
              Forgot password?
            </Link>
          ) : (
            'Forgot the password? Ask an administrator for a link.'
          )}
        </p>
      ) : null}
      {/* The toast announces the error; this text stays. */}
      {refusal && !busy ? <FieldError className={styles.refusal}>{messageOf(refusal)}</FieldError> : null}
      <Button type="submit" variant="primary" disabled={busy}>
        {mode === 'in' ? (busy ? 'Signing In...' : 'Sign In') : busy ? 'Signing Up...' : 'Sign Up'}
      </Button>
    </form>
  )
}
