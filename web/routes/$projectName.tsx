import { Outlet, createFileRoute } from '@tanstack/react-router'
import { RequireSession } from '#web/auth/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** Every page of a project: a signed-in user, and a project of theirs. */
export const Route = createFileRoute('/$projectName')({
  component: () => <RequireSession>{() => <ProjectGate>{() => <Outlet />}</ProjectGate>}</RequireSession>,
})
