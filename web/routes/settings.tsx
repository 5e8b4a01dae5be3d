import { createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { SettingsPage, settingsSearch } from '#web/profiles/index.ts'

export const Route = createFileRoute('/settings')({
  validateSearch: (search) => settingsSearch.parse(search),
  component: Settings,
})

function Settings() {
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <RequireSession>
      {(session) => (
        <SettingsPage session={session} tab={tab} onTab={(search) => void navigate({ search, replace: true })} />
      )}
    </RequireSession>
  )
}
