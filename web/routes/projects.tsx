import { createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { ProjectsPage } from '#web/projects/index.ts'

export const Route = createFileRoute('/projects')({
  component: () => <RequireSession>{() => <ProjectsPage />}</RequireSession>,
})
