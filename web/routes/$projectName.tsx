import { Outlet, createFileRoute } from '@tanstack/react-router'
import { api } from '#shared/contract/paths.ts'
import { RequireSession } from '#web/auth/index.ts'
import { requestEarly } from '#web/lib/early-requests.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** The layout of all project pages. It requires a signed-in user and a project of this user. */
export const Route = createFileRoute('/$projectName')({
  loader: ({ params, preload }) => preload || requestEarly(api.projects({ address: params.projectName })),
  component: () => <RequireSession>{() => <ProjectGate>{() => <Outlet />}</ProjectGate>}</RequireSession>,
})
