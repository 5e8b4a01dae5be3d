import { open, rm, type FileHandle } from 'node:fs/promises'
import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { temporaryPath } from '#server/http/receive-form.ts'
import {
  endImports,
  findImport,
  listWithoutFile,
  lockImport,
  type StoredImport,
  updateImport,
} from '#server/imports/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { fetchFiles } from '#server/lookup/index.ts'
import { processNewPapers } from '#server/processing/index.ts'
import { createTags } from '#server/projects/index.ts'
import { type JobRun, registerWorker } from '#server/queue/queue.ts'
import { storage } from '#server/storage/storage.ts'
import { addBatch } from './add-batch.ts'
import { findEarlierImport } from './queries.ts'
import { runOnReferences } from './reference-pool.ts'
import type { QueuedImport } from './service.ts'
import type { Batch } from './tasks.ts'

/** Maximum number of concurrent imports, of different users and projects. */
const AT_ONCE = 2
const TIME_LIMIT_SECONDS = 2 * 3600
/**
 * Delay after which an import is tried again while another import of the user, or another import into the project, is running.
 */
const WAIT_SECONDS = 2
/** Maximum number of documents for which one transaction queues the search for a PDF. */
const SOME = 50

/** Registers the worker that imports reference files. */
export function registerJobs(): void {
  registerWorker<QueuedImport>('import', importFiles, {
    concurrency: AT_ONCE,
    timeLimitSeconds: TIME_LIMIT_SECONDS,
    onFailed: async ({ ownerId, input, error, cancelled }) => {
      const end = cancelled ? ({ state: 'cancelled', error: null } as const) : ({ state: 'failed', error } as const)
      await asSystem((tx) => endImports(tx, input.import_ids, end))
      if (!cancelled) await processNewPapers(actorFor(ownerId), { import_ids: input.import_ids })
      return resultOf(await asSystem((tx) => Promise.all(input.import_ids.map((id) => findImport(tx, id)))))
    },
    onCompleted: ({ ownerId, input }) => processNewPapers(actorFor(ownerId), { import_ids: input.import_ids }),
  })
}

const resultOf = (rows: readonly (StoredImport | undefined)[]) => {
  const found = rows.filter((row) => row !== undefined)
  const sum = (name: 'read_count' | 'created_count' | 'joined_count' | 'joined_within_count' | 'failed_count') =>
    found.reduce((total, row) => total + row[name], 0)
  return {
    import_ids: found.map(({ id }) => id),
    filenames: found.map(({ filename }) => filename),
    read: sum('read_count'),
    created: sum('created_count'),
    joined: sum('joined_count'),
    joined_within: sum('joined_within_count'),
    failed: sum('failed_count'),
  }
}

async function importFiles(run: JobRun<QueuedImport>) {
  const { job, input, ownerId } = run
  const actor = actorFor(ownerId)
  if (await asSystem((tx) => findEarlierImport(tx, job.id))) run.postpone(WAIT_SECONDS, 'Waiting for another import')
  for (const id of input.import_ids) await importFile(actor, id, run)
  if (input.fetch_pdfs) for (const id of input.import_ids) await fetchPdfs(actor, id, run)
  return resultOf(await asActor(actor, (tx) => Promise.all(input.import_ids.map((id) => findImport(tx, id)))))
}

/**
 * Imports the records of a file that are not stored yet. After an interruption it continues with the first batch that is
 * missing.
 */
async function importFile(actor: Actor, id: string, run: JobRun<QueuedImport>): Promise<void> {
  const { job, signal, input, report, assertStillRunning } = run
  const row = await asActor(actor, (tx) => findImport(tx, id))
  if (!row) throw notFound('Import')
  if (row.state === 'done') return
  const { project_id, file_key, total_count } = row
  if (file_key === null) throw new AppError('not_found', 'The file of this import is missing.')
  await asActor(actor, async (tx) => {
    await assertStillRunning(tx)
    // A retry by an administrator has another id than the failed job.
    await updateImport(tx, id, { state: 'running', job_id: job.id, error: null })
  })
  const target = await temporaryPath()
  const { choices } = input
  report(0, 'Reading the file')
  try {
    const { batches, tags, count } = await storage().withLocalFile(file_key, (path) =>
      runOnReferences(
        'read',
        { path, target, choices },
        {
          person: actor.userId,
          signal,
          onProgress: (read) => report(0, `Reading ${of(read as number, total_count)}`),
        },
      ),
    )
    await createTags(actor, project_id, tags)
    const file = await open(target, 'r')
    try {
      let before = 0
      for (const batch of batches) {
        signal.throwIfAborted()
        if (before >= row.read_count) {
          const texts = await readBatch(file, batch)
          const place = {
            projectId: project_id,
            lockedImport: (tx: Tx) => lockImport(tx, id),
            comparedImportId: id,
            before,
            joinDuplicates: choices.joinDuplicates,
          }
          await addBatch(actor, place, texts, { signal, assertStillRunning })
        }
        before += batch.count
        report((100 * before) / count, `Importing ${of(before, count)}`)
      }
    } finally {
      await file.close()
    }
  } finally {
    await rm(target, { force: true })
  }
  await asActor(actor, async (tx) => {
    await assertStillRunning(tx)
    await updateImport(tx, id, { state: 'done' })
  })
}

const of = (count: number, total: number | null) =>
  `${count.toLocaleString('en-US')} of ${(total ?? count).toLocaleString('en-US')}`

async function readBatch(file: FileHandle, { keysAt, recordsAt, end }: Batch) {
  const keys = Buffer.alloc(recordsAt - keysAt)
  const records = Buffer.alloc(end - recordsAt)
  await file.read(keys, 0, keys.length, keysAt)
  await file.read(records, 0, records.length, recordsAt)
  return { keys: keys.toString('utf8'), records }
}

/** Queues searches for open-access PDFs of the papers that an import created and that have a DOI and no file. */
async function fetchPdfs(actor: Actor, id: string, { signal, report }: JobRun<QueuedImport>): Promise<void> {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    report(100, 'Queueing the searches for open-access PDFs')
    const last: string | null = after
    const ids: string[] = await asActor(actor, (tx) => listWithoutFile(tx, id, last, SOME))
    if (ids.length === 0) return
    await fetchFiles(actor, ids)
    after = ids.at(-1)!
  }
}
