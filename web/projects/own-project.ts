import type { Project } from '#shared/contract/projects.ts'
import { sessionQuery } from '#web/auth/index.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { projectByName } from './queries.ts'

/** Returns the signed-in user's project of this name before a screen renders; null for visitors and unknown names. */
export async function findOwnProject(name: string): Promise<Project | null> {
  const session = await queryClient.query(sessionQuery)
  return session && name.trim() ? queryClient.query(projectByName(name)) : null
}
