import { Outlet, createFileRoute } from '@tanstack/react-router'
import { api } from '#shared/contract/paths.ts'
import { RequireSession } from '#web/auth/index.ts'
import { requestEarly } from '#web/lib/early-requests.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** Project pages need a signed-in user and one of the user's projects. */
export const Route = createFileRoute('/$projectName')({
  loader: ({ params, preload }) => preload || requestEarly(api.projects({ address: params.projectName })),
  component: () => <RequireSession>{() => <ProjectGate>{() => <Outlet />}</ProjectGate>}</RequireSession>,
})
