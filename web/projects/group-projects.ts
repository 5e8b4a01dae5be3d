import type { Project } from '#shared/contract/projects.ts'

/** The heading of the projects of other users. */
export const SHARED_PROJECTS = 'Shared with me'

/**
 * Groups projects under the headings 'My projects' and 'Shared with me', or under 'Projects' if no project is shared. Omits
 * empty groups.
 */
export function groupProjects(projects: readonly Project[]): [heading: string, projects: Project[]][] {
  const own = projects.filter(({ owner_name }) => owner_name === null)
  const shared = projects.filter(({ owner_name }) => owner_name !== null)
  const groups: [string, Project[]][] = [
    [shared.length > 0 ? 'My projects' : 'Projects', own],
    [SHARED_PROJECTS, shared],
  ]
  return groups.filter(([, group]) => group.length > 0)
}
