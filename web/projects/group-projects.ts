import type { Project } from '#shared/contract/projects.ts'

/** Returns the groups of a list of projects with their headings. Projects of the user alone form one group, 'Projects'. */
export function groupProjects(projects: readonly Project[]): [heading: string, projects: Project[]][] {
  const own = projects.filter(({ owner_name }) => owner_name === null)
  const shared = projects.filter(({ owner_name }) => owner_name !== null)
  const groups: [string, Project[]][] = [
    [shared.length > 0 ? 'My projects' : 'Projects', own],
    ['Shared with me', shared],
  ]
  return groups.filter(([, group]) => group.length > 0)
}
