import { Outlet, createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** Project pages need a signed-in user and one of the user's projects. */
export const Route = createFileRoute('/$projectName')({
  component: () => <RequireSession>{() => <ProjectGate>{() => <Outlet />}</ProjectGate>}</RequireSession>,
})
