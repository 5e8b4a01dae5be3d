import { createFileRoute } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { RequireSession } from '#web/auth/index.ts'
import { InvitationPage } from '#web/invitations/index.ts'

export const Route = createFileRoute('/invitations/$token')({ component: Invitation })

function Invitation() {
  const { token } = Route.useParams()
  return (
    <RequireSession back={pages.invitation(token)}>
      {(session) => <InvitationPage token={token} email={session.user.email} />}
    </RequireSession>
  )
}
