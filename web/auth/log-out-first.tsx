import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthPanel } from './auth-panel.tsx'
import { useSignOut } from './queries.ts'

/**
 * Shown to a signed-in user who opens a link that confirms an e-mail address or sets a new password. After the sign-out, the
 * form of the link opens. `email` is the address of the signed-in user.
 */
export function LogOutFirst({ email }: { email: string }) {
  useTitle('Log out first')
  const signOut = useSignOut()
  return (
    <AuthPanel title="Log out first">
      <p>
        You are signed in as <b className="wrap-anywhere">{email}</b>. This link works after you log out.
      </p>
      {signOut.error ? <p role="alert">{messageOf(signOut.error)}</p> : null}
      <Button variant="primary" className="mt-4" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        Log out
      </Button>
      <p className="mt-3">
        <Link className="text-link" to={pages.projects()}>
          To my projects
        </Link>
      </p>
    </AuthPanel>
  )
}
