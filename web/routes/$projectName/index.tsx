import { createFileRoute, notFound, redirect, rootRouteId } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { findOwnProject } from '#web/projects/index.ts'

/** The bare name of one's own project leads to its overview; any other single word is no page. */
export const Route = createFileRoute('/$projectName/')({
  beforeLoad: async ({ params }) => {
    const project = await findOwnProject(params.projectName)
    throw project ? redirect({ to: pages.overview(project.name), replace: true }) : notFound({ routeId: rootRouteId })
  },
})
