import { setTimeout as pause } from 'node:timers/promises'
import { asSystem } from '#server/db/client.ts'
import { vacuumTables } from '#server/db/vacuum-tables.ts'
import { listJournalSources, type SourcesPage } from '#server/external/index.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import type { JobRun } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import { completedWords } from '#shared/contract/journal-import.ts'
import { readOpenAlexKey } from '#shared/contract/journals.ts'
import { findExcludedKeys } from './exclusion-queries.ts'
import { advanceImport, endImport, findImport, noteImport, upsertSources } from './import-queries.ts'

/** Input of the job that runs a catalog update. */
export interface QueuedImport {
  import_id: string
}

/** Delays in seconds before the retries of a request for a page of journals. The update fails if the last retry fails. */
const WAITS = [5, 15, 30, 60, 120]
/** Longest delay in seconds that OpenAlex may request before the next request. If it requests a longer one, the update ends. */
const LONGEST_WAIT = 15 * 60
const PASSING: ReadonlySet<ErrorCode> = new Set(['outside_failed', 'outside_slow', 'too_many'])

/**
 * Reads all journals of OpenAlex, beginning at the stored cursor of the update. Stores a page, its counts and the next cursor
 * in one transaction, so that a crash neither repeats nor skips a page. Only one page is in memory at a time.
 */
export async function updateCatalogue(run: JobRun<QueuedImport>): Promise<void> {
  const id = run.input.import_id
  const found = await asSystem((tx) => findImport(tx, id))
  let cursor = found?.status === 'running' ? found.cursor : null
  while (cursor !== null) {
    run.signal.throwIfAborted()
    const page = await askPatiently(run, cursor)
    if (page.next === cursor) throw new AppError('refused', 'OpenAlex returned the same page twice.')
    cursor = await storePage(run, page, cursor)
  }
  // A failed VACUUM does not fail the run: the catalog is complete, and without statistics lists are only slower.
  await vacuumTables(['journals']).catch((error: unknown) => log.warn({ err: error }, 'journals: VACUUM failed'))
}

/** Stores one page and returns the next cursor. After the last page, ends the update and returns null. */
async function storePage(run: JobRun<QueuedImport>, page: SourcesPage, cursor: string): Promise<string | null> {
  const id = run.input.import_id
  const entries = page.sources.length + page.unreadable
  // A source that occurs twice in a page counts twice, and is written once.
  const byKey = new Map(page.sources.map((source) => [readOpenAlexKey(source.openalex_id)!, source]))
  const isLast = page.next === null || entries === 0
  const row = await asSystem(async (tx) => {
    await run.assertStillRunning(tx)
    const excluded = await findExcludedKeys(tx, [...byKey.keys()])
    const wanted = [...byKey].filter(([key]) => !excluded.has(key)).map(([, source]) => source)
    const { added, updated } = await upsertSources(tx, wanted)
    const hidden = page.sources.filter((source) => excluded.has(readOpenAlexKey(source.openalex_id)!)).length
    const counts = {
      processed: entries,
      added,
      updated,
      skipped: page.sources.length - hidden - added - updated,
      excluded: hidden,
      errors: page.unreadable,
    }
    const next = { cursor: page.next ?? cursor, expected: page.count }
    const state = entries > 0 ? await advanceImport(tx, id, counts, next) : await findImport(tx, id)
    if (isLast && state) await endImport(tx, id, 'completed', completedWords(state))
    return state
  })
  if (row) run.report(row.expected ? (row.processed / row.expected) * 100 : 0, `${row.processed} journals`)
  return isLast ? null : page.next
}

/** Requests a page of journals. Retries with increasing pauses while the failure can be temporary. */
async function askPatiently(run: JobRun<QueuedImport>, cursor: string): Promise<SourcesPage> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await listJournalSources(cursor, run.signal)
    } catch (error) {
      run.signal.throwIfAborted()
      if (!(error instanceof AppError) || !PASSING.has(error.code) || error.permanent) throw error
      const wait = Math.max(WAITS[turn] ?? Infinity, error.retryAfter ?? 0)
      // The job queue restarts a run after other errors; it does not retry 'refused'.
      if (wait > LONGEST_WAIT) throw new AppError('refused', error.message, { cause: error })
      await asSystem((tx) => noteImport(tx, run.input.import_id, `${error.message} Trying again in ${wait} seconds.`))
      await pause(wait * 1000, undefined, { signal: run.signal })
    }
  }
}
