import { mkdtemp, rm } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import { analyzeText } from '#server/ai/index.ts'
import { answerFromChunks, embedQuery } from '#server/chat/index.ts'
import { asActor } from '#server/db/client.ts'
import { documentAtKeyOrThrow, documentOrThrow, receivePdf, updateDocument } from '#server/documents/index.ts'
import { extractText, readAllByOcr } from '#server/extraction/index.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { guardedFetch } from '#server/fetch/guarded-fetch.ts'
import type { Actor } from '#server/db/actor.ts'
import { storage } from '#server/storage/storage.ts'
import { researchPapers } from '#server/recommendations/index.ts'
import { refuseTooLarge } from '#server/texts/index.ts'
import { findSimilar, storeChunks } from '#server/retrieval/index.ts'
import type { AnalysisResult } from '#shared/contract/analysis.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import { NO_QUESTION, type RecommendedPaper } from '#shared/contract/recommendations.ts'
import type { functionBodies } from './schemas.ts'

interface Caller {
  actor: Actor
  signal: AbortSignal
}
type Body<K extends keyof typeof functionBodies> = z.output<(typeof functionBodies)[K]>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** analyze-pdf: analyzes the given text and stores nothing. */
export async function analyzePdf(
  { actor, signal }: Caller,
  { text, system_prompt, model }: Body<'analyze'>,
): Promise<AnalysisResult> {
  refuseTooLarge({ characters: text?.length ?? 0 })
  if (!hasWords(text)) throw new AppError('refused', 'No text available to analyze')
  const { result } = await analyzeText(
    { text: text!, systemPrompt: system_prompt ?? '', model: model === 'default' ? null : model },
    { userId: actor.userId, purpose: 'analysis', signal },
  )
  return result
}

/** extract-pdf-text: returns the text layer of an uploaded file, with page markers. */
export async function extractPdfText({ actor }: Caller, request: Request): Promise<string> {
  const file = await receivePdf(request)
  try {
    const { text } = await extractText(file.path, { person: actor.userId, signal: request.signal })
    if (!hasWords(text)) throw new AppError('refused', 'Failed to extract text')
    return text
  } finally {
    await file.remove()
  }
}

/**
 * ocr-pdf: returns the text of a PDF, read by OCR. `document_url` is a document of the caller (its id, its storage path or an
 * address of this server with the id) or a public URL.
 */
export async function ocrPdf({ actor, signal }: Caller, { document_url }: Body<'ocr'>): Promise<string> {
  const address = document_url?.trim()
  if (!address) throw new AppError('refused', 'Document source URL not found')
  const read = async (path: string) =>
    (await readAllByOcr(path, { signal, ctx: { userId: actor.userId, purpose: 'ocr', signal } })).text
  const text = await withPdfAt(actor, address, read)
  if (!hasWords(text)) throw new AppError('refused', 'Failed to extract text')
  return text
}

/**
 * generate-embeddings: embeds and stores `chunks`, the sections of the text of a document. If the document has vectors and
 * `force` is not set, changes nothing, and `alreadyVectorized` in the result is true. Throws 'refused' for chunks without text.
 */
export function generateEmbeddings({ actor, signal }: Caller, { chunks, document_id, force }: Body<'embeddings'>) {
  const id = documentId(document_id)
  if (!chunks || !chunks.some((chunk) => chunk.content.trim()))
    throw new AppError('refused', 'No valid text chunks were generated')
  return storeChunks(actor, id, chunks, force ?? false, signal)
}

/** generate-query-embedding: returns the vector of a question. */
export async function generateQueryEmbedding(
  { actor, signal }: Caller,
  { query }: Body<'queryEmbedding'>,
): Promise<number[]> {
  return Array.from(await embedQuery(actor, queryText(query), { signal }))
}

/**
 * similarity-search: returns the chunks (stored sections of the text) of a document that are nearest to a vector, most similar
 * first. Throws 'refused' without a valid vector.
 */
export async function similaritySearch({ actor }: Caller, { query_embedding, document_id, limit }: Body<'similarity'>) {
  if (!query_embedding?.length) throw new AppError('refused', 'Query cannot be empty')
  const found = await findSimilar(actor, documentId(document_id), Float32Array.from(query_embedding), limit)
  return found.map(({ content, page_number, page_offset, similarity }) => ({
    content,
    page_number,
    page_offset,
    similarity,
  }))
}

/** generate-answer: answers a question from the given passages. */
export async function generateAnswer({ actor, signal }: Caller, { query, chunks }: Body<'answer'>) {
  const question = queryText(query)
  if (!chunks || chunks.length === 0) throw new AppError('refused', 'No chunks provided for answer generation')
  return answerFromChunks(
    actor,
    question,
    chunks.map((chunk) => ({ ...chunk, page_offset: chunk.page_offset ?? 0, similarity: chunk.similarity ?? 0 })),
    signal,
  )
}

/** research-agent: returns papers that answer a question and that the caller's project does not have. */
export async function researchAgent(
  { actor, signal }: Caller,
  { research_question, project_id }: Body<'research'>,
): Promise<RecommendedPaper[]> {
  const question = research_question?.trim()
  if (!question) throw new AppError('refused', NO_QUESTION)
  if (!project_id || !UUID.test(project_id)) throw notFound('Project')
  return researchPapers(actor, { question, projectId: project_id }, signal)
}

/**
 * rpc/manage_document_tags: replaces the tags of a document, which are stored as its keywords. An empty list removes all tags.
 */
export async function manageDocumentTags({ actor }: Caller, { doc_id, tag_names }: Body<'documentTags'>) {
  const document = documentId(doc_id)
  // A missing `tag_names` is an error, not "remove all tags".
  if (!tag_names) throw new AppError('refused', 'tag_names: Give a list of tags. An empty list removes all tags.')
  const { id, keywords } = await updateDocument(actor, document, { keywords: tag_names })
  return { id, keywords }
}

function queryText(query: string | undefined): string {
  if (!query?.trim()) throw new AppError('refused', 'Query cannot be empty')
  return query.trim()
}

function documentId(id: string | undefined): string {
  if (!id?.trim()) throw new AppError('refused', 'Document ID is required')
  if (!UUID.test(id)) throw notFound('Document')
  return id
}

async function withPdfAt<T>(actor: Actor, address: string, work: (path: string) => Promise<T>): Promise<T> {
  const own = /(?:^|\/documents\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/file)?$/i.exec(
    address.replace(/[?#].*$/, ''),
  )?.[1]
  if (own) {
    const { source_url } = await asActor(actor, (tx) => documentOrThrow(tx, own, 'ask'))
    if (!source_url) throw new AppError('not_found', 'Document source URL not found')
    return storage().withLocalFile(source_url, work)
  }
  // A storage path is looked up in the database and never opened directly, so another user's file answers 404.
  if (address.startsWith('documents/')) {
    const { source_url } = await asActor(actor, (tx) => documentAtKeyOrThrow(tx, address, 'ask'))
    return storage().withLocalFile(source_url!, work)
  }
  const folder = await mkdtemp(join(tmpdir(), 'lectern-fetched-'))
  try {
    const fetched = await guardedFetch(address, {
      maxBytes: env.MAX_UPLOAD_MB * 1024 * 1024,
      timeoutMs: 120_000,
      accept: 'application/pdf',
    })
    if (fetched.status !== 200) throw new AppError('outside_failed', `Failed to fetch PDF: ${fetched.status}`)
    const path = join(folder, 'fetched.pdf')
    await pipeline(Readable.fromWeb(fetched.body as import('node:stream/web').ReadableStream), createWriteStream(path))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
