import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { CHANNELS } from '#server/events/listen.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { AppError } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import { authorize, type Authorized } from '#server/members/index.ts'
import { changePrivacy } from '#server/runs/index.ts'
import { type Conversation, type ConversationEdit, ONLY_AUTHOR } from '#shared/contract/conversations.ts'
import { listAnswering, tellStop } from './answer-queries.ts'
import { publishChange } from './publish-change.ts'
import {
  deleteConversationRow,
  findConversation,
  listRunIds,
  lockConversationRow,
  type StoredConversation,
  updateConversation,
} from './queries.ts'
import { isModerated, presentOne, readableConversation } from './service.ts'

const WITHOUT_AUTHOR =
  'The account of its author was deleted, so no user could read this conversation. Delete it instead.'

/**
 * Changes the title or the visibility of a conversation. Its runs (recorded analyses or answers) get the same visibility. An
 * owner of the project may also hide a shared conversation of another member. Throws 'not_found', 'role' for other users,
 * 'refused' if the account of the author was deleted, or 'changed' when the title or the visibility changed after `version`.
 */
export const changeConversation = (
  actor: Actor,
  id: string,
  { version, ...edit }: ConversationEdit,
): Promise<Conversation> =>
  asActor(actor, async (tx) => {
    await conversationOrThrow(tx, actor, id, 'ask')
    await withOwnerRole(tx, () => lockConversationRow(tx, id, 'no key update'))
    const row = await conversationOrThrow(tx, actor, id, 'ask')
    const isOwn = row.created_by === actor.userId
    if (!isOwn && (edit.visibility !== 'me' || edit.title !== undefined)) throw new AppError('role', ONLY_AUTHOR)
    if (row.created_by === null) throw new AppError('refused', WITHOUT_AUTHOR)
    const current = await presentOne(tx, actor, row)
    refuseStaleChange(row, edit, version, () => current)
    let runIds: string[] = []
    const change = async () => {
      if (Object.keys(edit).length > 0) await updateConversation(tx, id, edit)
      // After the change, which waits for the start of a run: see AnswerState.startRun.
      if (edit.visibility) runIds = await listRunIds(tx, id)
    }
    // The project owner does not see the conversation once it is hidden, so row-level security would refuse the change.
    await (isOwn ? change() : withOwnerRole(tx, change))
    if (edit.visibility) await changePrivacy(tx, row.created_by, runIds, edit.visibility === 'me')
    await publishChange(tx, actor, row, edit.visibility)
    return presentOne(
      tx,
      actor,
      isOwn ? await readableConversation(tx, id) : { ...row, visibility: 'me', version: row.version + 1 },
    )
  })

/**
 * Deletes a conversation and stops an answer that is being written. Its author needs no right to ask: no other user can delete
 * a private conversation. An owner of the project may also delete a shared conversation of another member; its runs (recorded
 * answers) then become visible to that member only. Throws 'not_found', or 'role' for other users.
 */
export const deleteConversation = (actor: Actor, id: string): Promise<void> =>
  asActor(actor, async (tx) => {
    const row = await conversationOrThrow(tx, actor, id, 'read')
    await withOwnerRole(tx, async () => {
      await lockConversationRow(tx, id, 'update')
      if (row.created_by !== null && row.created_by !== actor.userId)
        await changePrivacy(tx, row.created_by, await listRunIds(tx, id), true)
      for (const messageId of await listAnswering(tx, id)) await tellStop(tx, CHANNELS.answer, messageId)
      await deleteConversationRow(tx, id)
    })
    await publishChange(tx, actor, row)
  })

/**
 * Returns a conversation that the caller may change or delete: the caller's own, or a shared conversation in a project that the
 * caller owns. Throws 'not_found', or 'role' for other users and for a caller without `right`.
 */
async function conversationOrThrow(
  tx: Tx,
  actor: Actor,
  id: string,
  right: 'read' | 'ask',
): Promise<Authorized<StoredConversation>> {
  const row = authorize(await findConversation(tx, id), right, 'Conversation')
  if (row.created_by !== actor.userId && !isModerated(row, actor)) throw new AppError('role', ONLY_AUTHOR)
  return row
}
