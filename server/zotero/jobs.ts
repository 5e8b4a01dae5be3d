import { actorFor } from '#server/db/actor.ts'
import { asActor, asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { processNewPapers } from '#server/processing/index.ts'
import { type CompletedJob, type FailedJob, type JobRun, registerWorker } from '#server/queue/queue.ts'
import type { ZoteroResult } from '#shared/contract/zotero.ts'
import { keyOf } from './connection.ts'
import { fetchFiles } from './fetch-files.ts'
import { findLibraryRow, type LibraryChange, updateLibraryRow } from './library-queries.ts'
import { settleRefusal, startSchedule, stopScheduleTimer } from './schedule.ts'
import { syncLibrary } from './sync-library.ts'
import { type ImportState, type QueuedImport, stateOf, type Work } from './work.ts'

const JOBS_AT_ONCE = 4
/** Time limit of an import from Zotero. Fetching 10,000 PDFs takes hours. */
const TIME_LIMIT_SECONDS = 23 * 3600

/** Registers the worker for imports from Zotero, and starts the scheduled synchronizations. */
export function registerJobs(): void {
  registerWorker<QueuedImport>('zotero', importFromZotero, {
    concurrency: JOBS_AT_ONCE,
    timeLimitSeconds: TIME_LIMIT_SECONDS,
    onFailed: noteFailure,
    onCompleted: processAdded,
  })
  startSchedule()
}

/** Stops the start of scheduled synchronizations. */
export const stopZotero = stopScheduleTimer

async function importFromZotero(run: JobRun<QueuedImport>): Promise<ZoteroResult> {
  const actor = actorFor(run.ownerId)
  const before = run.state as unknown as ImportState | null
  const counts = before?.counts ?? { created: 0, joined: 0, failed: 0, updated: 0, removed: 0, files: 0, not_stored: 0 }
  const imports = before?.imports ?? {}
  const settled = before?.settled ?? []
  const errors: AppError[] = []
  for (const id of run.input.library_ids) {
    const library = await asActor(actor, (tx) => findLibraryRow(tx, id))
    if (!library) continue
    const end = (change: LibraryChange) =>
      asActor(actor, async (tx) => {
        await run.assertStillRunning(tx)
        await updateLibraryRow(tx, id, change)
      })
    let usedKey: string | undefined
    try {
      const { key, sealed_key } = await keyOf(actor)
      usedKey = sealed_key
      let progress = 0
      const access = {
        key,
        signal: run.signal,
        isJob: true,
        onWait: (message: string) => run.report(progress, message),
      }
      const report: typeof run.report = (percent, text) => {
        progress = percent
        run.report(percent, text)
      }
      const work: Work = { actor, access, run: { ...run, report }, counts, imports, settled }
      await syncLibrary(work, library)
      if (library.with_pdfs) {
        await run.saveState({ ...stateOf(work), reads_files: true })
        await fetchFiles(work, library)
      }
      await end({ last_synced_at: new Date().toISOString(), last_error: null })
    } catch (error) {
      run.signal.throwIfAborted()
      await settleRefusal(actor, library, error, usedKey)
      // Other errors can pass, so the queue repeats the job.
      if (!(error instanceof AppError) || !(error.permanent || error.code === 'refused')) throw error
      await end({ last_error: error.message })
      errors.push(error)
    }
    settled.push(id)
    await run.saveState({ counts, imports, settled } satisfies ImportState)
  }
  if (errors[0]) throw errors[0]
  return { import_id: Object.values(imports)[0] ?? null, ...counts }
}

/** Starts the automatic processing of the papers that the job added, after their PDFs are attached. */
async function processAdded({ ownerId, state }: CompletedJob<QueuedImport>): Promise<void> {
  const import_ids = Object.values((state as unknown as ImportState | null)?.imports ?? {})
  if (import_ids.length > 0) await processNewPapers(actorFor(ownerId), { import_ids })
}

/**
 * Stores the error with each library that a failed job did not settle, so that the members of the project can see it. Returns
 * the result so far.
 */
async function noteFailure(failed: FailedJob<QueuedImport>) {
  const { input, error, cancelled, state } = failed
  const before = state as unknown as ImportState | null
  if (!cancelled) {
    const settled = before?.settled ?? []
    const unread = input.library_ids.filter((id) => !settled.includes(id))
    await asSystem(async (tx) => {
      for (const id of unread) await updateLibraryRow(tx, id, { last_error: error })
    })
    await processAdded(failed)
  }
  return before ? { import_id: Object.values(before.imports)[0] ?? null, ...before.counts } : undefined
}
