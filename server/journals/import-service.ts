import { recordAudit } from '#server/audit/index.ts'
import { asSystem } from '#server/db/client.ts'
import { ADMINS_ONLY, AppError } from '#server/lib/errors.ts'
import { cancel, enqueue } from '#server/queue/queue.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { JOB_CANCELLED } from '#shared/contract/jobs.ts'
import { type JournalImport, toProgress } from '#shared/contract/journal-import.ts'
import {
  countImportRows,
  endOrphanedImports,
  type ImportRow,
  insertImport,
  listImportRows,
  setImportJob,
} from './import-queries.ts'
import type { QueuedImport } from './update-catalogue.ts'

/** Number of catalog updates that the screen shows. */
const LAST_RUNS = 10
const ORPHANED = 'The account that started this update was deleted.'

/** Starts a job that updates the catalog from OpenAlex. Throws 'conflict' while another update is running. */
export async function startImport(actor: Actor): Promise<JournalImport> {
  requireAdmin(actor)
  const row = await asSystem(async (tx) => {
    await endOrphanedImports(tx, ORPHANED)
    const begun = await insertImport(tx, actor.userId)
    if (!begun) throw new AppError('conflict', 'A journal update is running already.')
    const input: QueuedImport = { import_id: begun.id }
    const { id } = await enqueue(tx, {
      kind: 'journals',
      ownerId: actor.userId,
      documentId: null,
      projectId: null,
      input: { ...input },
    })
    await recordAudit(tx, actor, { action: 'import.started', subjectId: begun.id })
    return setImportJob(tx, begun.id, id)
  })
  return present(row)
}

/** Cancels the running catalog update, even if another admin started it. Pages that are already stored stay. */
export async function cancelImport(actor: Actor): Promise<JournalImport> {
  requireAdmin(actor)
  const running = (await runs(1)).find(({ status }) => status === 'running')
  if (!running?.job_id || !running.started_by) throw new AppError('conflict', 'No journal update is running.')
  await asSystem((tx) => recordAudit(tx, actor, { action: 'import.cancelled', subjectId: running.id }))
  await cancel(actorFor(running.started_by), running.job_id)
  const [ended] = await listImportRows(1)
  return present(ended ?? running)
}

/**
 * Returns a page of the updates of the journal catalog, newest first, and the number of all updates. The page skips the first
 * `offset` updates and has `limit` updates, or ten if `limit` is undefined.
 */
export async function listImports(actor: Actor, { limit, offset }: Slice): Promise<Listed<JournalImport>> {
  requireAdmin(actor)
  return { data: (await runs(limit ?? LAST_RUNS, offset)).map(present), count: await countImportRows() }
}

/** Returns the latest catalog update, running or ended. */
export const latestImport = async (): Promise<ImportRow | undefined> => (await runs(1))[0]

async function runs(limit: number, offset = 0): Promise<ImportRow[]> {
  const rows = await listImportRows(limit, offset)
  // Deleting the account that started it deleted its job: this run would never end.
  if (!rows.some(({ status, started_by }) => status === 'running' && started_by === null)) return rows
  await asSystem((tx) => endOrphanedImports(tx, ORPHANED))
  return listImportRows(limit, offset)
}

function present(row: ImportRow): JournalImport {
  const { id, expected, started_at, finished_at } = row
  const cancelled = row.status === 'error' && row.message === JOB_CANCELLED
  return { ...toProgress(row, Date.now()), id, expected, started_at, finished_at, cancelled }
}

function requireAdmin(actor: Actor): void {
  if (!actor.isAdmin) throw new AppError('forbidden', ADMINS_ONLY)
}
