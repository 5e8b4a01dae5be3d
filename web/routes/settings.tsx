import { createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { SettingsPage } from '#web/profiles/index.ts'

export const Route = createFileRoute('/settings')({
  component: () => <RequireSession>{(session) => <SettingsPage session={session} />}</RequireSession>,
})
