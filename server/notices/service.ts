import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { Notice } from '#shared/contract/notices.ts'
import { insertNoticeRows, listNoticeRows, readNoticeRows } from './queries.ts'

/** Returns the caller's notices, newest first; with `unread`, only unread notices. */
export const listNotices = (actor: Actor, filter: { unread: boolean }): Promise<Notice[]> =>
  asActor(actor, (tx) => listNoticeRows(tx, filter))

/** Marks notices of the caller as read and updates all open pages of the caller. Returns how many of them were unread. */
export const readNotices = (actor: Actor, ids: readonly string[]): Promise<number> =>
  asActor(actor, async (tx) => {
    const count = await readNoticeRows(tx, ids)
    if (count > 0) await publish(tx, { userId: actor.userId }, { event: 'notice', data: {} })
    return count
  })

type NewNotice = { [K in Notice['kind']]: Pick<Extract<Notice, { kind: K }>, 'kind' | 'data'> }[Notice['kind']]

/** Sends a notice to each of the users when `tx` commits. `tx` may be under row-level security. */
export async function notify(tx: Tx, userIds: readonly string[], notice: NewNotice): Promise<void> {
  if (userIds.length === 0) return
  await withOwnerRole(tx, () =>
    insertNoticeRows(
      tx,
      userIds.map((user_id) => ({ ...notice, user_id })),
    ),
  )
  for (const userId of userIds) await publish(tx, { userId }, { event: 'notice', data: {} })
}
