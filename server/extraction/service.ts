import { asActor } from '#server/db/client.ts'
import {
  documentOrThrow,
  failDocument,
  markProcessing,
  saveExtractedText,
  settleDocument,
} from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { enqueue, type FailedJob, type JobRun } from '#server/lib/jobs.ts'
import type { Actor } from '#server/lib/session.ts'
import { storage } from '#server/lib/storage.ts'
import type { Job } from '#shared/jobs.ts'
import { hasWords } from '#shared/page-text.ts'
import { extractText, inspectPdf } from './extract-text.ts'
import { ocrDocument } from './ocr-document.ts'
import { forgetPassword, keepPassword, passwordOf } from './passwords.ts'

/*
 * One rule for an extraction that fails, wherever the file is read: a file that cannot be read puts its document into the
 * status error, with the reason. This holds for a job, for the look at the file before a job, and for the browser, which
 * leaves a file that it cannot read to a job. A missing or wrong password, a cancellation and an unreachable server change
 * nothing: the file may be fine. The exception is a job, which has nobody to ask for a password.
 */

const NO_WORDS = 'Failed to extract text: no words were found in this PDF.'

export interface ExtractionInput {
  method: 'text' | 'ocr'
  /** For a protected PDF: used for this one extraction, never stored. */
  password?: string
  /** The project processes its new documents by itself: analysis and vectors follow. */
  automatic?: true
}

/** What the queue stores of it: that there was a password, not the password. */
export interface QueuedExtraction {
  protected: boolean
  /** The analysis and the vectors are to follow by themselves. */
  automatic?: true
}

/**
 * Puts the extraction of a document's text into the queue: status and job change in one transaction. With a password,
 * and before OCR (which takes minutes), the file is opened first, so that a protected or damaged PDF is refused here:
 * 'password_required' and 'password_wrong' change nothing, 'refused' sets the status error.
 */
export async function startExtraction(actor: Actor, documentId: string, input: ExtractionInput): Promise<Job> {
  const { method, password } = input
  if (password !== undefined || method === 'ocr') {
    const key = await fileKey(actor, documentId)
    await storage()
      .withLocalFile(key, (path) => inspectPdf(path, { password, person: actor.userId }))
      .catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'refused') await failDocument(actor, documentId, error.message)
        throw error
      })
  }
  let jobId: string | undefined
  try {
    return await asActor(actor, async (tx) => {
      const document = await documentOrThrow(tx, documentId)
      const queued: QueuedExtraction = {
        protected: password !== undefined,
        ...(input.automatic ? { automatic: true } : {}),
      }
      const job = await enqueue(tx, {
        kind: method === 'ocr' ? 'ocr' : 'extract',
        ownerId: actor.userId,
        documentId,
        projectId: document.project_id,
        input: { ...queued },
      })
      jobId = job.id
      // Before the commit: the queue may hand the job out at once.
      if (password !== undefined) keepPassword(job.id, password)
      await markProcessing(tx, documentId)
      return job
    })
  } catch (error) {
    if (jobId) forgetPassword(jobId)
    throw error
  }
}

/** Reads the document's file by the given method and stores its text: the document is completed then. */
export async function runExtraction(
  method: ExtractionInput['method'],
  run: JobRun<QueuedExtraction>,
): Promise<{ pages: number }> {
  const { job, ownerId, input, signal, report, guard } = run
  const actor: Actor = { userId: ownerId, isAdmin: false }
  const documentId = job.document_id
  if (documentId === null) throw new AppError('refused', 'This job names no document.')
  const password = passwordOf(job.id)
  if (input.protected && password === undefined) {
    throw new AppError('password_required', 'This PDF is protected by a password. Please give it again.')
  }
  const onProgress = (page: number, pages: number) => report((95 * page) / pages, `Reading page ${page} of ${pages}`)
  const options = { person: ownerId, password, signal, onProgress }
  const key = await fileKey(actor, documentId)
  const extracted = await storage().withLocalFile(key, (path) =>
    method === 'ocr'
      ? ocrDocument(path, { ...options, ctx: { userId: ownerId, purpose: 'ocr', documentId, signal } })
      : extractText(path, options),
  )
  signal.throwIfAborted()
  const { text, warning, pageCount, metadata, firstPage } = extracted
  if (method === 'ocr' && !hasWords(text)) throw new AppError('refused', NO_WORDS)
  const facts = { metadata: { ...metadata }, firstPage }
  await saveExtractedText(actor, documentId, { text, method, warning, pageCount, facts }, guard)
  forgetPassword(job.id)
  return { pages: pageCount }
}

/** Puts the document right after a job that failed or was cancelled. */
export async function endExtraction({ job, ownerId, error, cancelled }: FailedJob<QueuedExtraction>): Promise<void> {
  forgetPassword(job.id)
  if (job.document_id === null) return
  const actor: Actor = { userId: ownerId, isAdmin: false }
  await (cancelled ? settleDocument(actor, job.document_id) : failDocument(actor, job.document_id, error))
}

async function fileKey(actor: Actor, documentId: string): Promise<string> {
  const { source_url } = await asActor(actor, (tx) => documentOrThrow(tx, documentId))
  if (!source_url) throw new AppError('not_found', 'Document source URL not found')
  return source_url
}
