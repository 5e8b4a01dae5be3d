import { documentDetail } from '#shared/contract/documents.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { PassageField } from '#shared/contract/passages.ts'
import { api } from '#shared/contract/paths.ts'
import type { ExtractionMethod } from '#shared/contract/processing.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'
import { BrokenPdf, extractInBrowser } from '#web/extraction/index.ts'
import { ApiError, messageOf, one, request } from '#web/lib/api.ts'
import { failureWords } from '#web/lib/failure-words.ts'
import { JobCancelled, cancelJob, finished, startJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { documentQuery, refreshDocuments } from '#web/lib/document-queries.ts'
import { undoAnalysis } from './undo-analysis.ts'

/**
 * Extracts the text layer of a document in the browser and stores the text on the server, which refuses a text without words.
 * If the browser cannot read the file, a job on the server extracts the text and sets the status of the document. Throws if
 * both fail, or if the server refuses the text.
 */
export async function extractHere(
  id: string,
  {
    password,
    signal,
    onProgress,
  }: { password?: string | undefined; signal: AbortSignal; onProgress: (page: number, pages: number) => void },
): Promise<DocumentDetail> {
  const secret = password ? { password } : {}
  const read = await extractInBrowser({ url: api.documentFile(id) }, { signal, onProgress, ...secret }).catch(
    (error: unknown) => {
      if (error instanceof BrokenPdf && error.isFetched) return null
      throw error
    },
  )
  try {
    if (!read) await extractByJob(id, { method: 'text', ...secret }, signal)
    const saved = read
      ? await saveText(id, read, signal)
      : await request(api.document(id), { schema: one(documentDetail) })
    queryClient.setQueryData(documentQuery(id).queryKey, saved)
    toast({ title: 'Success', description: 'Text extracted successfully' })
    return saved
  } catch (error) {
    // The server also stored the failure on the document.
    void queryClient.invalidateQueries({ queryKey: documentQuery(id).queryKey })
    throw error
  } finally {
    refreshDocuments()
  }
}

function saveText(id: string, read: ExtractedText, signal: AbortSignal): Promise<DocumentDetail> {
  const body = {
    extracted_text: read.text,
    method: 'text',
    warning: read.warning,
    page_count: read.pageCount,
    metadata: read.metadata,
    first_page: read.firstPage,
  }
  return request(api.documentText(id), { method: 'PUT', body, schema: one(documentDetail), signal })
}

/** Thrown if an extraction on the server cannot be cancelled and continues. The message is for the user. */
export class NotCancelled extends Error {}

interface ExtractionBody {
  method: ExtractionMethod
  password?: string
  ocr_languages?: string[]
}

/**
 * Extracts the text in a job on the server and waits for its end. Aborting `signal` cancels the job. Throws if the extraction
 * fails, and NotCancelled if only another member can cancel the job or the cancellation fails.
 */
async function extractByJob(id: string, input: ExtractionBody, signal: AbortSignal): Promise<Job> {
  const job = await startJob(queryClient, api.documentExtract(id), input)
  return new Promise((resolve, reject) => {
    const refuse = (message: string) => reject(new NotCancelled(message))
    const stop = () => {
      if (!job.is_own) refuse('Another member started this extraction. It continues.')
      else cancelJob(job.id).catch((error: unknown) => refuse(messageOf(error)))
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void finished(job)
      .finally(() => signal.removeEventListener('abort', stop))
      .then(resolve, reject)
  })
}

/**
 * Extracts the text of a document on the server, by OCR or with the method that the server chooses ('auto'), and waits for the
 * end. Aborting `signal` cancels the extraction. Throws if the extraction fails, and NotCancelled if it cannot be cancelled,
 * for example because another member started it.
 */
export async function extractOnServer(
  id: string,
  method: 'ocr' | 'auto',
  { password, signal, ...input }: { password: string | undefined; ocr_languages?: string[]; signal: AbortSignal },
): Promise<void> {
  const { result } = await extractByJob(id, { method, ...input, ...(password ? { password } : {}) }, signal)
  await reload(id)
  if (result?.['is_offered'] === true)
    return toast({ title: 'Please choose a text', description: 'OCR found less text than this paper has.' })
  toast({
    title: 'Success',
    description: method === 'ocr' ? 'Text extracted successfully using the OCR' : 'Text extracted successfully',
  })
}

/**
 * Analyzes a document and shows the result as a toast. The toast of a repeated analysis has an Undo button. `replaced`: the
 * fields edited by users that the analysis may replace.
 */
export async function analyze(
  document: Pick<DocumentRow, 'id' | 'analyzed_at'>,
  prompt: Prompt,
  replaced: readonly PassageField[],
): Promise<void> {
  const again = document.analyzed_at !== null
  try {
    const body = { prompt_id: prompt.id, replace_edited: replaced, again }
    const { result } = await finished(await startJob(queryClient, api.documentAnalyze(document.id), body))
    await reload(document.id)
    const at = result?.['analyzed_at']
    toast({
      title: 'Success',
      description: `Document ${again ? 'refreshing' : 'analyzing'} completed successfully.${result?.['cached'] ? ' The stored answer to the same input was used.' : ''}`,
      action:
        again && typeof at === 'string' ? { label: 'Undo', run: () => void undoAnalysis(document.id, at) } : undefined,
    })
  } catch (error) {
    if (error instanceof JobCancelled) return toastCancelled()
    const fallback = again ? 'Failed to refresh document' : 'Failed to analyze document'
    toast({
      title: again ? 'Error refreshing document' : 'Error analyzing document',
      description: failureWords('analyze', messageOf(error, '')) || fallback,
      destructive: true,
    })
  }
}

/**
 * Vectorizes a document and shows the result as a toast. With `force`, also vectorizes a document whose vectors are up to date.
 */
export async function vectorize(id: string, force: boolean): Promise<void> {
  try {
    await finished(await startJob(queryClient, api.documentVectorize(id), { force }))
    await reload(id)
    toast({ title: 'Success', description: 'Document vectorization completed successfully' })
  } catch (error) {
    if (error instanceof JobCancelled) return toastCancelled()
    if (error instanceof ApiError && error.code === 'already_vectorized')
      return toast({ title: 'Already Vectorized', description: error.message })
    toast({
      title: 'Error',
      description: messageOf(error, 'Failed to vectorize document') || 'Failed to vectorize document',
      destructive: true,
    })
  }
}

/** Shows that an action was cancelled without a change. */
export const toastCancelled = () => toast({ title: 'Cancelled', description: 'Nothing was changed.' })

/** Refetches a document and the lists of documents after a job, without waiting for the event of the change. */
async function reload(id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: documentQuery(id).queryKey })
  refreshDocuments()
}
