import type { Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { makeOwner } from '#server/members/index.ts'
import { restoredName } from '#shared/contract/trash.ts'
import { findProjectName, listOwnNames, setOwner } from './queries.ts'

/**
 * Makes a member an owner of the project and its `owner_id`. If the member already owns a project of the same name, renames the
 * transferred project. Returns the name of the transferred project. Must run without row-level security, or as the database
 * role that owns the tables.
 */
export async function transferTo(tx: Tx, projectId: string, userId: string): Promise<string> {
  await makeOwner(tx, projectId, userId)
  const name = restoredName(
    await findProjectName(tx, projectId),
    await listOwnNames(tx, userId, projectId),
    'transferred',
  )
  await setOwner(tx, projectId, userId, name)
  await publish(tx, { projectId }, { event: 'project', data: { id: projectId, change: 'updated' } })
  return name
}
