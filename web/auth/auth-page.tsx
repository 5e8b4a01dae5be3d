import { zodResolver } from '@hookform/resolvers/zod'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { pages } from '#shared/contract/paths.ts'
import { PASSWORD_MIN_LENGTH, PROFILE_FAILED } from '#shared/contract/profiles.ts'
import { messageOf } from '#web/lib/api.ts'
import { refreshSite, useSite } from '#web/lib/site.ts'
import { toast, type Toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, FieldError, Input } from '#web/ui/field.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import styles from './auth.module.css'
import { ConfirmEmail } from './confirm-email.tsx'
import { AuthPanel } from './auth-panel.tsx'
import { ProviderButton, refusalOf } from './provider-button.tsx'
import { SECOND_STEP, useSession, useSignIn, useSignUp } from './queries.ts'
import { ForgotPassword, ResetPassword } from './recovery.tsx'
import secondFactorStyles from './second-factor.module.css'
import { SecondStep } from './second-step.tsx'

const HINT = `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`
const email = z.string().trim().min(1, 'Enter your email').pipe(z.email('Enter a complete email address'))
const signIn = z.object({ email, password: z.string().min(1, 'Enter your password') })
const signUp = z.object({ email, password: z.string().min(PASSWORD_MIN_LENGTH, HINT) })
type Mode = 'in' | 'up'

/** Search parameters of the pages under /auth: return address, error code of a provider, token of an e-mail link. */
export interface AuthSearch {
  back?: string | undefined
  error?: string | undefined
  token?: string | undefined
}

/** Sign-in and sign-up, beside an example page. Other paths under /auth show their own form. */
export function AuthPage({ back, error, token }: AuthSearch) {
  const { state } = useSession()
  const [chosen, setMode] = useState<Mode>()
  const [joined, setJoined] = useState('')
  const { product_name, mail_enabled, first_account } = useSite()
  // Without any account, only sign-up is possible.
  const mode = chosen ?? (first_account ? 'up' : 'in')
  const pathname = useLocation({ select: (location) => location.pathname })
  useTitle(mode === 'in' ? 'Sign In' : 'Sign Up')
  const news = newsOf(error)
  useNews(error)
  if (state === 'in') return <GoBack to={back ?? pages.projects()} />
  if (pathname === pages.secondStep()) return <SecondStep />
  if (mail_enabled && pathname === pages.forgotPassword()) return <ForgotPassword />
  if (mail_enabled && pathname === pages.resetPassword()) return <ResetPassword token={token} />
  if (mail_enabled && pathname === pages.confirmEmail()) return <ConfirmEmail token={token} />
  return (
    <AuthPanel title={mode === 'in' ? `Sign in to ${product_name}` : `Join ${product_name}`}>
      {news ? (
        <p className={styles.news} data-bad={news.destructive}>
          <b>{news.title}.</b> {news.description}
        </p>
      ) : null}
      <Tabs
        label="Sign in or sign up"
        value={mode}
        onChange={setMode}
        tabs={[
          { value: 'in', label: 'Sign In' },
          { value: 'up', label: 'Sign Up' },
        ]}
      >
        <TabPanel value="in">
          <CredentialsForm key={joined} mode="in" email={joined} back={back} />
        </TabPanel>
        <TabPanel value="up">
          {first_account ? (
            <p className={styles.news}>
              <b>No account exists here yet.</b> The first account becomes the administrator.
            </p>
          ) : null}
          <CredentialsForm
            mode="up"
            onSignedUp={(email) => {
              void refreshSite()
              setJoined(email)
              setMode('in')
            }}
          />
        </TabPanel>
      </Tabs>
      <ProviderButton back={back} />
    </AuthPanel>
  )
}

/** Returns the toast for a refused provider sign-in, or null. */
const newsOf = (error: string | undefined): Toast | null =>
  error ? { title: 'Authentication failed', description: refusalOf(error), destructive: true } : null

/** Shows the error once as a toast; the form also shows it. */
function useNews(error: string | undefined) {
  useEffect(() => {
    const news = newsOf(error)
    if (news) toast(news)
  }, [error])
}

/**
 * Navigates to a complete URL with query and hash, which Navigate does not support. An effect, because Navigate would
 * run on every render.
 */
function GoBack({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => void navigate({ href: to, replace: true }), [navigate, to])
  return null
}

function CredentialsForm({
  mode,
  email: known = '',
  back,
  onSignedUp,
}: {
  mode: Mode
  back?: string | undefined
  email?: string
  onSignedUp?: (email: string) => void
}) {
  const { mail_enabled } = useSite()
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
      return whenDone(entering.mutateAsync(values), {
        onError: failed,
        onSuccess: (session) => {
          if (session === SECOND_STEP) void navigate({ to: pages.secondStep(), search: { back } })
        },
      })
    whenDone(joining.mutateAsync(values), {
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
      <Field label="Email" error={errors.email?.message} className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}>
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
      {mode === 'in' && mail_enabled ? (
        <p className={styles.aside}>
          <Link className="text-link" to={pages.forgotPassword()}>
            Forgot password?
          </Link>
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
