import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { refreshSite, useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { addressIn } from './address-in.ts'
import styles from './auth.module.css'
import { AuthPanel } from './auth-panel.tsx'
import { ConfirmEmail } from './confirm-email.tsx'
import { CredentialsForm, type Mode } from './credentials-form.tsx'
import { invitationIn } from './invitation-in.ts'
import { LogOutFirst } from './log-out-first.tsx'
import { ProviderButton } from './provider-button.tsx'
import { refusalOf } from './provider-refusal.ts'
import { useSession } from './queries.ts'
import { ForgotPassword, ResetPassword } from './recovery.tsx'
import { SecondStep } from './second-step.tsx'

/** Search parameters of the pages under /auth: return address, error code of a provider, token of an e-mail link. */
export interface AuthSearch {
  back?: string | undefined
  error?: string | undefined
  token?: string | undefined
}

/** Sign-in and sign-up, beside an example page. Other paths under /auth show their own form. */
export function AuthPage({ back, error, token }: AuthSearch) {
  const { state, session } = useSession()
  const [chosen, setMode] = useState<Mode>()
  const [joined, setJoined] = useState('')
  const { product_name, mail_enabled, first_account, sign_up, password_sign_in } = useSite()
  const invitation = invitationIn(back)
  const needsAccount = sign_up === 'invited' && invitation !== undefined
  const canSignUp = (sign_up === 'open' || needsAccount) && password_sign_in
  // Without any account, only sign-up is possible.
  const mode = canSignUp ? (chosen ?? (first_account || needsAccount ? 'up' : 'in')) : 'in'
  const pathname = useLocation({ select: (location) => location.pathname })
  useTitle(mode === 'in' ? 'Sign In' : 'Sign Up')
  const refusal = error ? refusalOf(error, password_sign_in) : null
  useNews(refusal)
  // A confirmation signs in to the account of its link.
  const needsLogOut =
    token !== undefined &&
    (pathname === pages.resetPassword() ||
      (pathname === pages.confirmEmail() && addressIn(token) !== session?.user.email))
  if (state === 'in' && needsLogOut) return <LogOutFirst email={session.user.email} />
  if (state === 'in') return <GoBack to={back ?? pages.projects()} />
  if (pathname === pages.secondStep()) return <SecondStep back={back} />
  if (mail_enabled && pathname === pages.forgotPassword()) return <ForgotPassword back={back} />
  if (pathname === pages.resetPassword()) return <ResetPassword token={token} back={back} />
  if (mail_enabled && pathname === pages.confirmEmail()) return <ConfirmEmail token={token} back={back} />
  return (
    <AuthPanel title={mode === 'in' ? `Sign in to ${product_name}` : `Join ${product_name}`}>
      {refusal ? (
        <p className={styles.news} data-bad>
          <b>{REFUSED}.</b> {refusal}
        </p>
      ) : null}
      {invitation ? (
        <p className={styles.news}>
          {sign_up !== 'closed'
            ? 'Sign in or create an account to open the invitation.'
            : 'Sign in to open the invitation.'}
        </p>
      ) : null}
      {canSignUp ? (
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
            <CredentialsForm key={joined} mode="in" email={joined} back={back} invitation={invitation} />
          </TabPanel>
          <TabPanel value="up">
            {first_account && !needsAccount ? (
              <p className={styles.news}>
                <b>No account exists here yet.</b> The first account becomes the administrator.
              </p>
            ) : null}
            <CredentialsForm
              mode="up"
              invitation={invitation}
              onSignedUp={(email) => {
                void refreshSite()
                setJoined(email)
                setMode('in')
              }}
            />
          </TabPanel>
        </Tabs>
      ) : (
        <WithoutSignUp back={back} invitation={invitation} />
      )}
      <ProviderButton back={back} />
    </AuthPanel>
  )
}

/**
 * Shown to a visitor who cannot create an account with a password: the sign-in form without the sign-up tab, and the reason.
 */
function WithoutSignUp({ back, invitation }: { back: string | undefined; invitation: string | undefined }) {
  const { first_account, password_sign_in, sign_up } = useSite()
  return (
    <>
      {password_sign_in ? <CredentialsForm mode="in" back={back} invitation={invitation} /> : null}
      {sign_up === 'open' || invitation ? null : (
        <p className="mt-3">
          {first_account
            ? 'No account exists here yet. The operator creates the first one on the server: npm run admin -- create.'
            : sign_up === 'closed'
              ? 'Administrators create the accounts here.'
              : 'New accounts need an invitation to a project here.'}
        </p>
      )}
    </>
  )
}

const REFUSED = 'Authentication failed'

/** Shows the error of a provider sign-in as a toast when the page opens. */
function useNews(refusal: string | null) {
  useEffect(() => {
    if (refusal) toast({ title: REFUSED, description: refusal, destructive: true })
  }, [refusal])
}

/**
 * Redirects to a complete URL with query and hash, which the component Navigate does not support. The redirect is in an effect
 * so that it runs once and not at every render.
 */
function GoBack({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => void navigate({ href: to, replace: true }), [navigate, to])
  return null
}
