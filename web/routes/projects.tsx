import { createFileRoute } from '@tanstack/react-router'
import { api } from '#shared/contract/paths.ts'
import { RequireSession } from '#web/auth/index.ts'
import { requestEarly } from '#web/lib/early-requests.ts'
import { ProjectsPage } from '#web/projects/index.ts'

export const Route = createFileRoute('/projects')({
  loader: ({ preload }) => preload || requestEarly(api.projects()),
  component: () => <RequireSession>{() => <ProjectsPage />}</RequireSession>,
})
