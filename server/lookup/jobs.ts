import { asActor } from '#server/db/client.ts'
import { attachFile, documentOrThrow, fillPaper, type KnownPaper, markFileMissing } from '#server/documents/index.ts'
import type { Work } from '#server/external/index.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import { processNewPapers } from '#server/processing/index.ts'
import { type CompletedJob, type JobRun, registerWorker } from '#server/queue/queue.ts'
import { actorFor } from '#server/db/actor.ts'
import { doiText } from '#shared/contract/doi.ts'
import { fetchPdf } from './fetch-pdf.ts'
import { findFreeCopies } from './free-copies.ts'
import type { QueuedFetch } from './service.ts'

const AT_ONCE = 4
const TIME_LIMIT_SECONDS = 15 * 60
/** Maximum number of copies of a paper that are tried. Further copies rarely succeed. */
const COPIES_MAX = 6

const NONE = 'No open-access PDF was found for this paper.'

/**
 * Registers the worker that searches for open-access PDFs. A job that finds no PDF ends as completed; the document shows the
 * reason.
 */
export function registerJobs(): void {
  registerWorker<QueuedFetch>('fetch', fetchFirstCopy, {
    concurrency: AT_ONCE,
    timeLimitSeconds: TIME_LIMIT_SECONDS,
    onFailed: async (failed) => {
      const { job, error, cancelled } = failed
      if (job.document_id) await markFileMissing(job.document_id, cancelled ? null : error)
      if (!cancelled) await processWithoutFile(failed)
    },
    onCompleted: processWithoutFile,
  })
}

/** Starts the automatic processing of a paper for which no PDF was found. It can use an abstract that the search has found. */
async function processWithoutFile({ ownerId, job }: CompletedJob<QueuedFetch>): Promise<void> {
  if (job.document_id) await processNewPapers(actorFor(ownerId), { document_ids: [job.document_id] })
}

/** Attaches the first copy that is a PDF to the document. Throws if all copies or sources failed. */
async function fetchFirstCopy({ job, ownerId, input, signal, report, assertStillRunning }: JobRun<QueuedFetch>) {
  const actor = actorFor(ownerId)
  const id = job.document_id
  if (id === null) throw new AppError('refused', 'This job has no document.')
  const read = () => asActor(actor, (tx) => documentOrThrow(tx, id, 'edit'))
  const { source_url, doi_link } = await read()
  if (source_url !== null) return { attached: false }
  report(5, 'Looking for an open-access PDF')
  const doi = doi_link ? doiText(doi_link) : null
  const { urls, failure, work } = doi ? await findFreeCopies(doi, signal) : { urls: [], failure: null, work: null }
  if (work) await fillPaper(actor, id, factsOf(work), assertStillRunning)
  // The address that came with the paper can be that of its former DOI.
  const given = input.pdf_url && (input.doi ?? doi) === doi ? [input.pdf_url] : []
  const copies = [...new Set([...given, ...urls])].slice(0, COPIES_MAX)
  let reason: AppError | null = null
  for (const [at, url] of copies.entries()) {
    report(10 + (80 * at) / copies.length, 'Fetching the open-access PDF')
    try {
      const file = await fetchPdf(url, nameOf(url, doi), signal)
      try {
        await attachFile(actor, id, file, assertStillRunning)
        return { attached: true, url }
      } finally {
        await file.remove()
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      // The user uploaded a file during the search.
      if (error.code === 'conflict' && (await read()).source_url !== null) return { attached: false }
      reason ??= error
    }
  }
  if (reason) throw rephrase(reason, `The open-access PDF could not be fetched. ${reason.message}`)
  if (failure) throw failure
  await markFileMissing(id, NONE, assertStillRunning)
  return { attached: false, message: NONE }
}

const factsOf = (work: Work): Omit<KnownPaper, 'title' | 'publication_date'> => ({
  authors: work.authors,
  journal_name: work.journal,
  abstract: work.abstract,
  semantic_paperid: work.id,
  retracted: work.isRetracted,
  reference: work.reference,
})

/** Returns the file name of a PDF: the name in its address, else one made from the DOI. */
function nameOf(url: string, doi: string | null): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return /\.pdf$/i.test(last) ? decode(last) : `${(doi ?? (last || 'paper')).replace(/[/\\]/g, '_')}.pdf`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
