import type { Tx } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import {
  hasDefault,
  insertMember,
  listDefaultsOf,
  listWithoutDefault,
  lockDefault,
  moveDefault,
  promoteNewest,
} from './queries.ts'

/** Makes a project the default project of one of its members. */
export async function setDefault(tx: Tx, userId: string, projectId: string): Promise<void> {
  await lockDefault(tx, userId)
  await withOwnerRole(tx, () => moveDefault(tx, userId, projectId))
}

/** Makes a project the default project of a member, if the member has no default project. */
async function setMissingDefault(tx: Tx, userId: string, projectId: string): Promise<void> {
  await lockDefault(tx, userId)
  await withOwnerRole(tx, async () => {
    if (!(await hasDefault(tx, userId))) await moveDefault(tx, userId, projectId)
  })
}

/** Makes a restored project the default project of each member who has no default project. */
export async function setMissingDefaults(tx: Tx, projectId: string): Promise<void> {
  const affected = await withOwnerRole(tx, () => listWithoutDefault(tx, projectId))
  for (const userId of affected) await setMissingDefault(tx, userId, projectId)
}

/** If the project is the default project of the member, makes the newest other project of the member the default. */
export async function replaceDefaultOf(tx: Tx, userId: string, projectId: string): Promise<void> {
  await lockDefault(tx, userId)
  const affected = await withOwnerRole(tx, () => listDefaultsOf(tx, projectId))
  if (affected.includes(userId)) await withOwnerRole(tx, () => promoteNewest(tx, userId, projectId))
}

/** For each member whose default project is this project, makes the newest other project of the member the default. */
export async function replaceDefault(tx: Tx, projectId: string): Promise<void> {
  const affected = await withOwnerRole(tx, () => listDefaultsOf(tx, projectId))
  for (const userId of affected) {
    await lockDefault(tx, userId)
    await withOwnerRole(tx, () => promoteNewest(tx, userId, projectId))
  }
}

/**
 * Adds a member to a project. The project becomes the default project of a user without one. Needs a transaction without
 * row-level security.
 */
export async function addMember(tx: Tx, member: Parameters<typeof insertMember>[1]): Promise<void> {
  await insertMember(tx, member)
  await setMissingDefault(tx, member.user_id, member.project_id)
}
