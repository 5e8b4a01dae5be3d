import { recordAudit } from '#server/audit/index.ts'
import { asAdmin, asAdminWithPersonal } from '#server/db/client.ts'
import { findSource } from '#server/external/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import type { Actor } from '#server/db/actor.ts'
import {
  BULK_EXCLUDED,
  type BulkExclusion,
  type ExcludedJournal,
  type ExclusionInput,
  MANUALLY_EXCLUDED,
  NO_OPENALEX_ID,
  readOpenAlexKey,
  UNKNOWN_JOURNAL,
} from '#shared/contract/journals.ts'
import { findJournalsById, findNameByKey } from './admin-queries.ts'
import { deleteExcludedRow, insertExcludedRows, listExcludedRows } from './exclusion-queries.ts'

/** Time limit of the request to OpenAlex for the name of a journal. */
const NAME_MS = 4_000

/** Returns a slice of the exclusion list, latest entry first. */
export const listExcluded = (actor: Actor, slice: Slice): Promise<Listed<ExcludedJournal>> =>
  asAdmin(actor, (tx) => listExcludedRows(tx, slice))

/**
 * Excludes a journal by its OpenAlex ID, whether or not the catalog has it. Without a given name, uses the name in the
 * catalog or in OpenAlex. Throws 'conflict' if the journal is already excluded.
 */
export async function excludeJournal(actor: Actor, input: ExclusionInput): Promise<ExcludedJournal> {
  const openalex_id = readOpenAlexKey(input.openalex_id)!
  const known = input.journal_name ?? (await asAdmin(actor, (tx) => findNameByKey(tx, openalex_id)))
  const journal_name = known ?? (await nameAtOpenAlex(openalex_id)) ?? UNKNOWN_JOURNAL
  return asAdmin(actor, async (tx) => {
    const reason = input.reason ?? MANUALLY_EXCLUDED
    const [added] = await insertExcludedRows(tx, [{ openalex_id, journal_name, reason }])
    if (!added) throw new AppError('conflict', 'This journal is excluded already.')
    await recordAudit(tx, actor, {
      action: 'exclusion.added',
      subjectId: openalex_id,
      subject: journal_name,
      details: { reason },
    })
    return added
  })
}

/** Excludes several journals of the catalog. Throws 'refused' when none of them has an OpenAlex ID. */
export const excludeJournals = (
  actor: Actor,
  ids: readonly string[],
  reason: string = BULK_EXCLUDED,
): Promise<BulkExclusion> =>
  asAdminWithPersonal(actor, async (tx) => {
    const found = await findJournalsById(tx, ids)
    if (found.length === 0) throw notFound('Journal')
    const without_id = found.filter((one) => !one.openalex_id).map((one) => one.name)
    const rows = found.flatMap(({ openalex_id, name }) => {
      const key = readOpenAlexKey(openalex_id)
      return key ? [{ openalex_id: key, journal_name: name, reason }] : []
    })
    if (rows.length === 0) throw new AppError('refused', NO_OPENALEX_ID)
    const added = await insertExcludedRows(tx, rows)
    for (const one of added)
      await recordAudit(tx, actor, {
        action: 'exclusion.added',
        subjectId: one.openalex_id,
        subject: one.journal_name,
        details: { reason },
      })
    return { excluded: added.length, without_id }
  })

/** Removes an entry from the exclusion list: the journal is visible again. */
export const removeExclusion = (actor: Actor, id: string): Promise<void> =>
  asAdmin(actor, async (tx) => {
    const deleted = await deleteExcludedRow(tx, id)
    if (!deleted) throw notFound('Excluded journal')
    await recordAudit(tx, actor, {
      action: 'exclusion.removed',
      subjectId: deleted.openalex_id,
      subject: deleted.journal_name,
    })
  })

async function nameAtOpenAlex(key: string): Promise<string | undefined> {
  const source = await findSource(key, AbortSignal.timeout(NAME_MS)).catch(() => null)
  return source?.name
}
