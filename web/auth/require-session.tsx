import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { Interruptible } from '#web/lib/interruptible.tsx'
import { Button } from '#web/ui/button.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import { useSession } from './queries.ts'
import type { Session } from './queries.ts'
import { lostAt } from './session-end.ts'

/**
 * Renders its children for signed-in users. Redirects visitors to /auth, which opens `back` after the sign-in. With `admin`,
 * redirects users who are not administrators to the home page; visitors are also redirected there if `back` is missing.
 */
export function RequireSession({
  admin = false,
  back,
  children,
}: {
  admin?: boolean
  back?: string
  children: (session: Session) => ReactNode
}) {
  const now = useSession()
  const checking = (
    <Page>
      <Waiting>Checking authentication...</Waiting>
    </Page>
  )
  if (now.state === 'checking') return checking
  if (now.state === 'failed')
    return (
      <Page>
        <Notice>
          <h1>Your session could not be checked</h1>
          <p>{messageOf(now.error)}</p>
          <Button onClick={now.retry}>Retry</Button>
        </Notice>
      </Page>
    )
  const next = lostAt() ?? back
  if (now.state === 'out' && next) return <Navigate to={pages.auth()} search={{ back: next }} replace />
  if (now.state === 'out') return <Navigate to={admin ? pages.home() : pages.auth()} replace />
  if (admin && !now.session.profile.is_admin) return <Navigate to={pages.home()} replace />
  return <Interruptible fallback={checking}>{children(now.session)}</Interruptible>
}
