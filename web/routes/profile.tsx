import { createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { ProfilePage } from '#web/profiles/index.ts'

export const Route = createFileRoute('/profile')({
  component: () => <RequireSession>{(session) => <ProfilePage session={session} />}</RequireSession>,
})
