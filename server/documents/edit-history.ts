import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { listNames } from '#server/members/index.ts'
import { type DocumentEdit, documentEdit, MOST_EDITS } from '#shared/contract/document-edits.ts'
import { listEditRows } from './edit-history-queries.ts'
import { documentOrThrow } from './rows.ts'

/** Returns the latest edits of fields that an analysis had filled: the user, the time and the former value. */
export const listEdits = (actor: Actor, id: string): Promise<DocumentEdit[]> =>
  asActor(actor, async (tx) => {
    await documentOrThrow(tx, id, 'read')
    const rows = await listEditRows(tx, id, MOST_EDITS)
    const ids = rows.flatMap(({ edited_by }) => edited_by ?? [])
    const names = ids.length > 0 ? await withOwnerRole(tx, () => listNames(tx, ids)) : new Map<string, string>()
    return rows.map(({ field, former, edited_by, edited_at, run_id, run_number }) =>
      documentEdit.parse({
        field,
        former,
        edited_by: edited_by === null ? null : { id: edited_by, name: names.get(edited_by) ?? '' },
        edited_at,
        run: run_id === null ? null : { id: run_id, number: run_number },
      }),
    )
  })
