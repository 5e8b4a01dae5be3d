import { createFileRoute, notFound, redirect, rootRouteId } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { findOwnProject } from '#web/projects/index.ts'

/** Redirects the name of one of the user's projects to its overview page. For any other name, the 404 page is shown. */
export const Route = createFileRoute('/$projectName/')({
  beforeLoad: async ({ params }) => {
    const project = await findOwnProject(params.projectName)
    throw project
      ? redirect({ to: pages.overview(project.address), replace: true })
      : notFound({ routeId: rootRouteId })
  },
})
