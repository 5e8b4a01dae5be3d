import type { Project } from '#shared/contract/projects.ts'
import { sessionQuery } from '#web/auth/index.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { projectByName } from './queries.ts'

/** Loads the project with this name in the URL, before a screen renders. Returns null for visitors and unknown names. */
export async function findOwnProject(name: string): Promise<Project | null> {
  const session = await queryClient.query(sessionQuery)
  return session && name.trim() ? queryClient.query(projectByName(name)) : null
}
