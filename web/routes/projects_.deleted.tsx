import { createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { TrashPage } from '#web/trash/index.ts'

export const Route = createFileRoute('/projects_/deleted')({
  component: () => <RequireSession>{() => <TrashPage />}</RequireSession>,
})
