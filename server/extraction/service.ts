import { hasVision, warmEmbeddings } from '#server/ai/index.ts'
import { asActor } from '#server/db/client.ts'
import {
  documentOrThrow,
  failDocument,
  lazyText,
  markProcessing,
  offerText,
  saveExtractedText,
  settleDocument,
  type StoredDocument,
} from '#server/documents/index.ts'
import { mayCallModel } from '#server/keys/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { ALREADY_ACTIVE, type Automatic, enqueueOnce, type FailedJob, type JobRun } from '#server/queue/queue.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { compareTexts, type TextComparison } from '#server/texts/index.ts'
import { storage } from '#server/storage/storage.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { type ExtractionMethod, NO_PDF, NOTHING_TO_READ } from '#shared/contract/processing.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import { inspectPdf } from './extract-text.ts'
import { readAllByOcr, readTextLayer, readTextLayerAndOcr } from './read-document.ts'
import { checkLanguages } from './ocr-languages.ts'
import { paidPages } from './paid-pages.ts'
import { forgetPassword, keepPassword, passwordOf } from './passwords.ts'
import { isUnreadable } from './refusal.ts'

/*
 * One rule for failed extractions in a job, in the check before a job, and in the browser (which leaves an unreadable
 * file to a job): an unreadable file sets its document's status to error, with the reason. A missing or wrong password,
 * a cancellation and an unreachable server change nothing: the file may be readable. Exception: in a job a missing
 * password also sets the status, because a job cannot ask for one.
 */

const NO_WORDS = 'Failed to extract text: no words were found in this PDF.'

export interface ExtractionInput {
  method: ExtractionMethod
  /** The password of a protected PDF. It is used for this extraction only and never stored. */
  password?: string | undefined
  /** Codes of the languages of the pages that OCR reads. Default: all of OCR_LANGUAGES. */
  ocr_languages?: string[] | undefined
  /**
   * If true, the result of OCR replaces the current text even if it is poorer. If false, a poorer result is stored as an offer:
   * the user chooses between both texts.
   */
  replace?: boolean | undefined
}

/**
 * The stored input of an extraction job. `protected` records that the user gave a password for the PDF. The password itself is
 * not stored, only kept in the memory of the server.
 */
export interface QueuedExtraction {
  protected: boolean
  /** Set for the method 'auto': the text layer is judged, and pages without a usable text layer are read by OCR. */
  auto?: true
  /** The pages that OCR reads. If undefined, OCR reads all pages. */
  pages?: number[]
  /** Codes of the languages that OCR reads on these pages. */
  languages?: string[]
  /** The result of OCR replaces the current text even if it is poorer. */
  replace?: true
  /**
   * Set by server/documents for a new file: the project can analyze and vectorize the document automatically after the
   * extraction.
   */
  automatic?: Automatic
}

/**
 * Enqueues a job that extracts the text of a document's PDF, and sets the status of the document in the same transaction. If
 * the user gave a password for the PDF, and for the method 'ocr' (which takes minutes), opens the PDF before, so that a
 * protected or damaged file is refused at once: 'password_required' and 'password_wrong' leave the document unchanged,
 * 'damaged_file' and 'refused' set the status of the document to error.
 */
export async function startExtraction(actor: Actor, documentId: string, input: ExtractionInput): Promise<Job> {
  const { method, password, ocr_languages: languages } = input
  checkLanguages(languages)
  if (password !== undefined || method === 'ocr') {
    const key = await fileKey(actor, documentId)
    await storage()
      .withLocalFile(key, (path) => inspectPdf(path, { password, person: actor.userId }))
      .catch(async (error: unknown) => {
        if (isUnreadable(error)) await failDocument(documentId, error.message)
        throw error
      })
  }
  let jobId: string | undefined
  try {
    return await asActor(actor, async (tx) => {
      const document = await documentOrThrow(tx, documentId, 'edit')
      sourceOf(document)
      const queued: QueuedExtraction = {
        protected: password !== undefined,
        ...(method === 'auto' ? { auto: true } : {}),
        ...(languages && method !== 'text' ? { languages } : {}),
        ...(input.replace ? { replace: true } : {}),
      }
      const { job, isNew } = await enqueueOnce(tx, {
        kind: method === 'ocr' ? 'ocr' : 'extract',
        ownerId: actor.userId,
        documentId,
        projectId: document.project_id,
        input: { ...queued },
      })
      jobId = job.id
      // Before the commit: the job can start at once.
      if (password !== undefined) keepPassword(job.id, password)
      if (isNew) await markProcessing(tx, documentId)
      return job
    })
  } catch (error) {
    if (jobId) forgetPassword(jobId)
    throw error
  }
}

/**
 * Runs an extraction job: reads the text of the document's PDF by `method`, stores it and sets the status of the document to
 * completed. There are two exceptions. If a job with the input `auto` finds pages without a usable text layer, it stores
 * nothing and continues as an OCR job for these pages, unless `mayCallModel` forbids automatic calls of the vision model. If
 * OCR has read all pages but its text is poorer than the current text, the new text is only offered to the user, unless the
 * input has `replace`.
 */
export async function runExtraction(method: 'text' | 'ocr', run: JobRun<QueuedExtraction>) {
  const { job, ownerId, input, signal, report, assertStillRunning } = run
  // The vectors follow in about a second.
  if (method === 'text' && input.automatic) warmEmbeddings()
  const actor = actorFor(ownerId)
  const documentId = job.document_id
  if (documentId === null) throw new AppError('refused', 'This job has no document.')
  const password = passwordOf(job.id)
  if (input.protected && password === undefined) {
    throw new AppError('password_required', 'This PDF is protected by a password. Please enter it again.')
  }
  const how = method === 'ocr' ? ' by OCR' : ''
  const onProgress = (page: number, pages: number) =>
    report((95 * page) / pages, `Reading page ${page} of ${pages}${how}`)
  const options = { person: ownerId, password, signal, onProgress }
  const key = await fileKey(actor, documentId)
  const ocr = {
    ...options,
    languages: input.languages,
    paid: method === 'ocr' && hasVision() ? await paidPages({ documentId, file: key }, run) : undefined,
    ctx: { userId: ownerId, purpose: 'ocr' as const, documentId, signal },
  }
  const extracted = await storage().withLocalFile(key, (path) => {
    if (method === 'text') return readTextLayer(path, options)
    const { pages } = input
    return pages ? readTextLayerAndOcr(path, { ...ocr, pages }) : readAllByOcr(path, ocr)
  })
  signal.throwIfAborted()
  const { text, warning, pageCount, metadata, firstPage, ocrPages, pagesForOcr } = extracted
  if (input.auto && pagesForOcr.length > 0 && (await mayCallModel({ isFree: !hasVision() })))
    return run.continueAs('ocr', { ...input, pages: pagesForOcr })
  if (method === 'ocr' && !hasWords(text)) throw new AppError('no_words', NO_WORDS)
  const facts = { metadata: { ...metadata }, firstPage }
  const result = { text, method: ocrPages.length > 0 ? 'ocr' : 'text', ocrPages, warning, pageCount, facts } as const
  // The method 'auto' has compared each page.
  const asks = method === 'ocr' && !input.pages && !input.replace
  const comparison = asks ? await compareWithCurrent(actor, documentId, text) : null
  if (comparison?.isPoorer) await offerText(actor, documentId, result, comparison, assertStillRunning)
  else await saveExtractedText(actor, documentId, result, assertStillRunning)
  forgetPassword(job.id)
  return { pages: pageCount, ...(comparison?.isPoorer ? { is_offered: true } : {}) }
}

async function compareWithCurrent(actor: Actor, documentId: string, text: string): Promise<TextComparison | null> {
  const current = await lazyText(actor, documentId)
  return current.size === 0 ? null : compareTexts({ person: actor.userId }, text, current)
}

/**
 * Updates the status of a document after its extraction job has failed or was cancelled, and deletes the stored password of its
 * PDF.
 */
export async function endExtraction({ job, error, cancelled }: FailedJob<QueuedExtraction>): Promise<void> {
  forgetPassword(job.id)
  // Another job reads the text of the document, and sets its status.
  if (job.document_id === null || error === ALREADY_ACTIVE.ocr) return
  await (cancelled ? settleDocument(job.document_id, job.id) : failDocument(job.document_id, error))
}

async function fileKey(actor: Actor, documentId: string): Promise<string> {
  return sourceOf(await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'edit')))
}

/** Returns the key of the PDF in the storage. Throws 'refused' for a paper without a PDF. */
function sourceOf({ source_url, abstract }: Pick<StoredDocument, 'source_url' | 'abstract'>): string {
  if (!source_url) throw new AppError('refused', abstract?.trim() ? NO_PDF : NOTHING_TO_READ)
  return source_url
}
