import { asActor } from '#server/db/client.ts'
import { attachFile, documentOrThrow, markFileMissing, receivePdfStream } from '#server/documents/index.ts'
import { openZoteroFile, readChildren, type ZoteroChild } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { ZOTERO_NOT_STORED } from '#shared/contract/zotero.ts'
import { awaitFiles, countPendingFiles, listPendingFiles, type StoredItem, updateItemRow } from './item-queries.ts'
import type { StoredLibrary } from './library-queries.ts'
import type { Work } from './work.ts'

const AT_ONCE = 3
/**
 * After this number of consecutive failures, Zotero counts as unavailable. The job then fails, and the job queue repeats it
 * later.
 */
const FAILURES_MAX = 5
const DATE_LENGTH = 'YYYY-MM-DD'.length
const STORED = new Set(['imported_file', 'imported_url'])

/**
 * Fetches the pending PDFs of a library from Zotero, three at a time, and attaches them to the documents. PDFs that
 * were unavailable are tried again in the first synchronization of each day (UTC) only, because some of them stay unavailable.
 */
export async function fetchFiles(work: Work, library: StoredLibrary): Promise<void> {
  const { actor, run } = work
  const today = new Date().toISOString().slice(0, DATE_LENGTH)
  if (library.last_synced_at === null || library.last_synced_at.slice(0, DATE_LENGTH) < today)
    await asActor(actor, (tx) => awaitFiles(tx, library.id, { states: ['unavailable'] }))
  const total = await asActor(actor, (tx) => countPendingFiles(tx, library.id))
  let done = 0
  let failures = 0
  for (;;) {
    const rows = await asActor(actor, (tx) => listPendingFiles(tx, library.id, AT_ONCE))
    if (rows.length === 0) return
    run.report(50 + (50 * done) / total, `Fetching PDF ${Math.min(done + 1, total)} of ${total}`)
    const states = await Promise.all(rows.map((row) => attachOne(work, library, row)))
    done += rows.length
    failures = states.every(({ error }) => error) ? failures + rows.length : 0
    const outage = states.find(({ state }) => state === 'unavailable')?.error
    if (failures >= FAILURES_MAX && outage) throw outage
    for (const [at, { state, error }] of states.entries()) await settle(work, rows[at]!, state, error)
  }
}

interface FileState {
  state: Exclude<StoredItem['file'], 'pending'>
  error?: AppError
}

/**
 * Fetches the PDF of one item and attaches it to its document. Throws if Zotero asks for no requests for some time, or if the
 * job was stopped.
 */
async function attachOne(work: Work, library: StoredLibrary, item: StoredItem): Promise<FileState> {
  const { actor, access, run } = work
  try {
    if (item.document_id === null || (await hasFile(work, item.document_id))) return { state: 'none' }
    const found = item.file_key ?? findPdf(await readChildren(library.library, item.item_key, access))
    if (typeof found !== 'string') return { state: found === null ? 'none' : 'not_stored' }
    const body = await openZoteroFile(library.library, found, access)
    if (!body) return { state: 'not_stored' }
    const file = await receivePdfStream(body, fileName(item), {})
    try {
      await attachFile(actor, item.document_id, file, run.assertStillRunning)
      return { state: 'attached' }
    } finally {
      await file.remove()
    }
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof AppError) || error.code === 'too_many') throw error
    // Deleted, or got a file, in the meantime.
    if (error.code === 'conflict' || error.code === 'not_found') return { state: 'none' }
    const isUnavailable = error.code === 'outside_failed' || error.code === 'outside_slow'
    return { state: isUnavailable ? 'unavailable' : 'failed', error }
  }
}

/**
 * Returns the key of the first PDF attachment that Zotero stores; undefined if all PDFs are stored elsewhere; null without a
 * PDF.
 */
function findPdf(children: readonly ZoteroChild[]): string | null | undefined {
  const pdfs = children.filter(
    ({ data }) => data.itemType === 'attachment' && !data.deleted && data.contentType === 'application/pdf',
  )
  if (pdfs.length === 0) return null
  return pdfs.find(({ data }) => STORED.has(data.linkMode ?? ''))?.key
}

const hasFile = async ({ actor }: Work, id: string) =>
  (await asActor(actor, (tx) => documentOrThrow(tx, id, 'edit'))).source_url !== null

const fileName = ({ reference, item_key }: StoredItem) =>
  `${(reference.title ?? item_key).replaceAll(/[/\\]/g, '_').slice(0, 150)}.pdf`

async function settle(work: Work, item: StoredItem, state: FileState['state'], error?: AppError): Promise<void> {
  const { actor, run, counts } = work
  if (item.document_id !== null && (state === 'not_stored' || error))
    await markFileMissing(
      item.document_id,
      error ? `The PDF could not be fetched from Zotero. ${error.message}` : `The PDF is ${ZOTERO_NOT_STORED}.`,
      run.assertStillRunning,
    )
  await asActor(actor, async (tx) => {
    await run.assertStillRunning(tx)
    await updateItemRow(tx, item.id, { file: state })
  })
  if (state === 'attached') counts.files += 1
  if (state === 'not_stored') counts.not_stored += 1
}
