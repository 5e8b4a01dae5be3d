import { documentDetail } from '#shared/documents.ts'
import type { DocumentDetail, DocumentRow, TextWarning } from '#shared/documents.ts'
import { hasWords } from '#shared/page-text.ts'
import type { PassageField } from '#shared/passages.ts'
import { api } from '#shared/paths.ts'
import type { Prompt } from '#shared/prompts.ts'
import { analysisFailure } from '#web/analysis/index.ts'
import { extractInBrowser } from '#web/extraction/index.ts'
import { ApiError, messageOf, one, request } from '#web/lib/api.ts'
import { JobCancelled, finished, startJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { documentQuery, refreshDocuments } from './queries.ts'
import { undoAnalysis } from './undo-analysis.ts'

/** The file has no text layer to speak of; the other way of reading may help. */
export class NothingToRead extends Error {
  readonly warning: TextWarning
  constructor(warning: TextWarning) {
    super('Failed to extract text')
    this.warning = warning
  }
}

/** Option 1: reads the text layer here in the browser, then hands the text to the server. Throws what went wrong. */
export async function extractHere(
  id: string,
  {
    password,
    signal,
    onProgress,
  }: { password?: string | undefined; signal: AbortSignal; onProgress: (page: number, pages: number) => void },
): Promise<DocumentDetail> {
  const read = await extractInBrowser(
    { url: api.documentFile(id) },
    { signal, onProgress, ...(password ? { password } : {}) },
  )
  if (!hasWords(read.text)) throw new NothingToRead(read.warning ?? 'scan')
  const body = {
    extracted_text: read.text,
    method: 'text',
    warning: read.warning,
    page_count: read.pageCount,
    metadata: read.metadata,
    first_page: read.firstPage,
  }
  const saved = await request(api.documentText(id), { method: 'PUT', body, schema: one(documentDetail), signal })
  queryClient.setQueryData(documentQuery(id).queryKey, saved)
  refreshDocuments()
  toast({ title: 'Success', description: 'Text extracted successfully' })
  return saved
}

/** Option 2: has the server read the pages as pictures. Throws what went wrong. */
export async function extractByOcr(id: string, password?: string): Promise<void> {
  await finished(
    await startJob(queryClient, api.documentExtract(id), { method: 'ocr', ...(password ? { password } : {}) }),
  )
  await reload(id)
  toast({ title: 'Success', description: 'Text extracted successfully using the OCR' })
}

/**
 * Analyses a document and says how it went; 'refreshing' when it had been analysed before, which can be undone.
 * `replaced` are the fields that a person edited and that the analysis may replace.
 */
export async function analyze(
  document: Pick<DocumentRow, 'id' | 'analyzed_at'>,
  prompt: Prompt,
  replaced: readonly PassageField[],
): Promise<void> {
  const again = document.analyzed_at !== null
  try {
    const body = { prompt_id: prompt.id, replace_edited: replaced }
    const { result } = await finished(await startJob(queryClient, api.documentAnalyze(document.id), body))
    await reload(document.id)
    const at = result?.['analyzed_at']
    toast({
      title: 'Success',
      description: `Document ${again ? 'refreshing' : 'analyzing'} completed successfully.`,
      action:
        again && typeof at === 'string' ? { label: 'Undo', run: () => void undoAnalysis(document.id, at) } : undefined,
    })
  } catch (error) {
    if (error instanceof JobCancelled) return sayCancelled()
    const fallback = again ? 'Failed to refresh document' : 'Failed to analyze document'
    toast({
      title: again ? 'Error refreshing document' : 'Error analyzing document',
      description: analysisFailure(messageOf(error, ''), fallback),
      destructive: true,
    })
  }
}

/** Vectorises a document and says how it went. */
export async function vectorize(id: string, force: boolean): Promise<void> {
  try {
    await finished(await startJob(queryClient, api.documentVectorize(id), { force }))
    await reload(id)
    toast({ title: 'Success', description: 'Document vectorization completed successfully' })
  } catch (error) {
    if (error instanceof JobCancelled) return sayCancelled()
    if (error instanceof ApiError && error.code === 'already_vectorized')
      return toast({ title: 'Already Vectorized', description: error.message })
    toast({
      title: 'Error',
      description: messageOf(error, 'Failed to vectorize document') || 'Failed to vectorize document',
      destructive: true,
    })
  }
}

export const sayCancelled = () => toast({ title: 'Cancelled', description: 'Nothing was changed.' })

/** The finished job's own event may come a moment later than its result is wanted. */
async function reload(id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: documentQuery(id).queryKey })
  refreshDocuments()
}
