import { createFileRoute, notFound, redirect, rootRouteId } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { findOwnProject } from '#web/projects/index.ts'

/** The bare name of one of the user's projects redirects to its overview; any other name answers 404. */
export const Route = createFileRoute('/$projectName/')({
  beforeLoad: async ({ params }) => {
    const project = await findOwnProject(params.projectName)
    throw project
      ? redirect({ to: pages.overview(project.address), replace: true })
      : notFound({ routeId: rootRouteId })
  },
})
