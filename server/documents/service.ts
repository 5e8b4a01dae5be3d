import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { asActor, brokenConstraint, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish } from '#server/lib/events.ts'
import type { Actor } from '#server/lib/session.ts'
import { type ByteRange, storage } from '#server/lib/storage.ts'
import { log } from '#server/lib/log.ts'
import { findOrCreateJournal } from '#server/journals/index.ts'
import { projectOrThrow, tagIdsOf } from '#server/projects/index.ts'
import {
  storedFileName,
  type DocumentDetail,
  type DocumentPatch,
  type DocumentRow,
  type DocumentsQuery,
} from '#shared/documents.ts'
import { hasWords } from '#shared/page-text.ts'
import type { Passage } from '#shared/passages.ts'
import { storable, storableText } from '#shared/storable-text.ts'
import { presentDocument, presentRow } from './present.ts'
import {
  deleteDocumentRow,
  findDocumentRow,
  findDocumentRowByKey,
  insertDocumentRow,
  listDocumentRows,
  listFilterRows,
  lockDocumentRow,
  replaceDocumentTags,
  updateDocumentRow,
  type StoredDocument,
} from './queries.ts'
import { passagesAfterEdit } from './edited-passages.ts'
import type { ReceivedFile } from './upload.ts'

/** One page of the caller's documents with the exact count. */
export const listDocuments = (actor: Actor, query: DocumentsQuery): Promise<{ rows: DocumentRow[]; count: number }> =>
  asActor(actor, (tx) => listDocumentRows(tx, query))

/** What a project's documents can be filtered by. */
export const listFilters = (actor: Actor, projectId: string) =>
  asActor(actor, async (tx) => {
    await projectOrThrow(tx, projectId)
    return listFilterRows(tx, projectId)
  })

export const getDocument = async (actor: Actor, id: string): Promise<DocumentDetail> =>
  presentDocument(await asActor(actor, (tx) => documentOrThrow(tx, id)))

/** Stores a received PDF and makes its document, pending, in the named project (or in none). */
export async function createDocument(actor: Actor, file: ReceivedFile): Promise<DocumentRow> {
  if (!/\.pdf$/i.test(file.filename))
    throw new AppError('wrong_type', 'Only PDF files are accepted.', { fields: { file: 'Not a PDF' } })
  const projectId = file.fields.project_id || null
  if (projectId && !z.uuid().safeParse(projectId).success) throw notFound('Project')
  // Looked at before the file is stored, so that a wrong project leaves nothing behind.
  if (projectId) await asActor(actor, (tx) => projectOrThrow(tx, projectId))
  // A folder for each document: two uploads of the same name in the same millisecond are two files.
  const id = randomUUID()
  const key = `documents/${actor.userId}/${id}/${storedFileName(file.filename, new Date())}`
  await storage().putFile(key, file.path, 'application/pdf')
  try {
    return await asActor(actor, async (tx) => {
      const row = await insertDocumentRow(tx, {
        id,
        owner_id: actor.userId,
        project_id: projectId,
        filename: file.filename,
        source_url: key,
        file_size: file.size,
        content_hash: file.sha256,
        status: 'pending',
      })
      await publishChange(tx, row, 'created')
      return presentRow(row)
    })
  } catch (error) {
    await storage().remove(key)
    throw error
  }
}

/**
 * Changes what is given. A journal named without an id takes the id of that journal, which is added when it is new;
 * changed keywords are linked as tags; statements that changed are looked up in the text anew.
 */
export function updateDocument(actor: Actor, id: string, patch: DocumentPatch): Promise<DocumentDetail> {
  const plan = async (tx: Tx) => {
    if (patch.project_id) await projectOrThrow(tx, patch.project_id)
    return { ...patch, ...(await journalOf(tx, actor, patch)) }
  }
  return editDocument(actor, id, plan, async (tx, _before, change, passages) => {
    const row = await updateDocumentRow(tx, id, { ...change, passages })
    if (change.keywords) await replaceDocumentTags(tx, id, await tagIdsOf(tx, actor.userId, change.keywords))
    return row!
  }).catch(refuseUnknownJournal)
}

/**
 * Changes statements or the text they rest on. Their passages are looked up outside any transaction, because that takes
 * time; what changed meanwhile is seen under the lock, and then all is done anew.
 */
async function editDocument<T extends Parameters<typeof passagesAfterEdit>[1]>(
  actor: Actor,
  id: string,
  plan: (tx: Tx) => Promise<T>,
  save: (tx: Tx, before: StoredDocument, change: T, passages: Passage[]) => Promise<StoredDocument>,
  guard?: Guard,
): Promise<DocumentDetail> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { before, change } = await asActor(actor, async (tx) => ({
      before: await documentOrThrow(tx, id),
      change: await plan(tx),
    }))
    const passages = await passagesAfterEdit(before, change)
    const saved = await asActor(actor, async (tx) => {
      // Before the document is locked, in the order in which jobs lock.
      await guard?.(tx)
      const now = await lockedOrThrow(tx, id)
      if (now.text_version !== before.text_version || JSON.stringify(now.passages) !== JSON.stringify(before.passages))
        return null
      const row = await save(tx, now, change, passages)
      await publishChange(tx, row, 'updated')
      return row
    })
    if (saved) return presentDocument(saved)
  }
  throw new AppError('conflict', 'The document changed while it was being saved. Please try again.')
}

function refuseUnknownJournal(error: unknown): never {
  if (brokenConstraint(error) !== 'documents_journal_id_journals_id_fk') throw error
  throw new AppError('refused', 'Journal not found', { fields: { journal_id: 'Journal not found' }, cause: error })
}

/** Deletes the document, what was made from it, and its file. */
export async function deleteDocument(actor: Actor, id: string): Promise<void> {
  const row = await asActor(actor, async (tx) => {
    const gone = await deleteDocumentRow(tx, id)
    if (!gone) throw notFound('Document')
    await publishChange(tx, gone, 'deleted')
    return gone
  })
  // The row is gone for good; a file that cannot be removed now is only space, and is named in the log.
  if (row.source_url)
    await storage()
      .remove(row.source_url)
      .catch((error: unknown) => log.warn({ err: error, document: id }, 'a deleted document left its file'))
}

/** The document's PDF. `range` is read from the request; null when the document has no file. */
export async function openDocumentFile(
  actor: Actor,
  id: string,
): Promise<{ filename: string; size: number; read: (range?: ByteRange) => Promise<ReadableStream<Uint8Array>> }> {
  const row = await asActor(actor, (tx) => documentOrThrow(tx, id))
  const key = row.source_url
  if (!key) throw new AppError('not_found', 'Document source URL not found')
  const size = await storage().size(key)
  if (size === null) throw new AppError('not_found', 'Document source URL not found')
  return { filename: row.filename, size, read: (range) => storage().read(key, range) }
}

/** Throws when the job that does the work was stopped meanwhile, inside the transaction that stores its result. */
type Guard = (tx: Tx) => Promise<void>

/** What a text extraction hands over; texts carry `[Page N]` markers. */
export interface ExtractedForDocument {
  text: string
  method: 'text' | 'ocr'
  warning: StoredDocument['text_warning']
  pageCount: number | null
  facts: StoredDocument['pdf_facts']
}

/**
 * Stores an extracted text: status completed. What was made from an older text (vectors, passages) is marked as such.
 * A file without words is refused, and remembered as a scan, so that OCR is recommended from then on.
 */
export async function saveExtractedText(
  actor: Actor,
  id: string,
  extracted: ExtractedForDocument,
  guard?: Guard,
): Promise<DocumentDetail> {
  if (!hasWords(extracted.text)) {
    await rememberScan(actor, id, extracted)
    throw new AppError('refused', 'Failed to extract text: the pages of this PDF are pictures. Use OCR for it.')
  }
  const text = storableText(extracted.text)
  return editDocument(
    actor,
    id,
    async () => ({ extracted_text: text }),
    async (tx, before, _change, passages) => {
      const changed = before.extracted_text !== text
      const row = await updateDocumentRow(tx, id, {
        extracted_text: text,
        extraction_method: extracted.method,
        text_warning: extracted.warning,
        page_count: extracted.pageCount ?? before.page_count,
        pdf_facts: storable(extracted.facts) ?? before.pdf_facts,
        status: 'completed',
        status_message: null,
        ...(changed
          ? { text_version: before.text_version + 1, vectorized_at: null, embedding_model: null, passages }
          : {}),
      })
      return row!
    },
    guard,
  )
}

function rememberScan(actor: Actor, id: string, { method, pageCount, facts }: ExtractedForDocument): Promise<void> {
  return asActor(actor, async (tx) => {
    const before = await lockedOrThrow(tx, id)
    if (before.extracted_text || method === 'ocr') return
    const row = await updateDocumentRow(tx, id, {
      text_warning: 'scan',
      page_count: pageCount ?? before.page_count,
      pdf_facts: facts ?? before.pdf_facts,
    })
    await publishChange(tx, row!, 'updated')
  })
}

/** What an analysis hands over: document columns with their passages. */
export type AnalysisForDocument = Pick<
  StoredDocument,
  | 'title'
  | 'doi_link'
  | 'publication_date'
  | 'journal_name'
  | 'summary'
  | 'lifestyle_recommendations'
  | 'evidence_level'
  | 'keywords'
  | 'social_post'
  | 'insights'
  | 'passages'
  | 'analysis_model'
>

/**
 * Stores an analysis in one transaction with its journal and tags: status completed, analysed now. What the analysis
 * could not tell (null) keeps the value that a person or an earlier analysis gave.
 */
export async function applyAnalysis(
  actor: Actor,
  id: string,
  analysis: AnalysisForDocument,
  textVersion: number,
  guard?: Guard,
): Promise<DocumentDetail> {
  return presentDocument(
    await asActor(actor, async (tx) => {
      await guard?.(tx)
      const before = await lockedOrThrow(tx, id)
      if (before.text_version !== textVersion)
        throw new AppError('conflict', 'The text changed while it was analysed. Please analyse it again.')
      const known = Object.fromEntries(
        Object.entries(storable(analysis)).filter(([, value]) => value !== null),
      ) as Partial<AnalysisForDocument>
      const row = await updateDocumentRow(tx, id, {
        ...known,
        ...(await journalOf(tx, actor, { journal_name: known.journal_name ?? undefined })),
        status: 'completed',
        status_message: null,
        analyzed_at: new Date().toISOString(),
      })
      if (known.keywords?.length) await replaceDocumentTags(tx, id, await tagIdsOf(tx, actor.userId, known.keywords))
      await publishChange(tx, row!, 'updated')
      return row!
    }),
  )
}

/** Marks the document as vectorised with `model`, in the transaction that stores its chunks; refuses when the text changed meanwhile. */
export async function markVectorized(tx: Tx, id: string, model: string, textVersion: number): Promise<void> {
  const before = await lockedOrThrow(tx, id)
  if (before.text_version !== textVersion)
    throw new AppError('conflict', 'The text changed while it was vectorised. Please vectorise it again.')
  const row = await updateDocumentRow(tx, id, { vectorized_at: new Date().toISOString(), embedding_model: model })
  await publishChange(tx, row!, 'updated')
}

/** Marks the document as being worked on, in the transaction that enqueues the work. */
export async function markProcessing(tx: Tx, id: string): Promise<StoredDocument> {
  await lockedOrThrow(tx, id)
  const row = await updateDocumentRow(tx, id, { status: 'processing', status_message: null })
  await publishChange(tx, row!, 'updated')
  return row!
}

/** Ends work that failed: status error, with the reason. A document that is gone needs nothing. */
export const failDocument = (actor: Actor, id: string, message: string): Promise<void> =>
  settle(actor, id, () => ({ status: 'error', status_message: storableText(message) }))

/** Ends work that was cancelled: completed if there is a text, else pending, as if it had not begun. */
export const settleDocument = (actor: Actor, id: string): Promise<void> =>
  settle(actor, id, (row) => ({ status: row.extracted_text ? 'completed' : 'pending', status_message: null }))

/** The document, or 'Document not found' when it is not there or not the caller's. */
export async function documentOrThrow(tx: Tx, id: string): Promise<StoredDocument> {
  const found = await findDocumentRow(tx, id)
  if (!found) throw notFound('Document')
  return found
}

/** The document whose file is stored under `key` (its source_url), or 'Document not found' when it is not there or not the caller's. */
export async function documentAtKeyOrThrow(tx: Tx, key: string): Promise<StoredDocument> {
  const found = await findDocumentRowByKey(tx, key)
  if (!found) throw notFound('Document')
  return found
}

function settle(
  actor: Actor,
  id: string,
  change: (row: StoredDocument) => { status: string; status_message: string | null },
): Promise<void> {
  return asActor(actor, async (tx) => {
    const row = await lockDocumentRow(tx, id)
    if (!row) return
    await publishChange(tx, (await updateDocumentRow(tx, id, change(row)))!, 'updated')
  })
}

async function lockedOrThrow(tx: Tx, id: string): Promise<StoredDocument> {
  const row = await lockDocumentRow(tx, id)
  if (!row) throw notFound('Document')
  return row
}

async function journalOf(tx: Tx, actor: Actor, patch: { journal_name?: string | null; journal_id?: string | null }) {
  if (patch.journal_name === undefined || patch.journal_id) return {}
  if (!patch.journal_name?.trim()) return { journal_name: null, journal_id: null }
  const journal = await findOrCreateJournal(tx, actor, patch.journal_name)
  return { journal_name: journal.name, journal_id: journal.id }
}

const publishChange = (tx: Tx, row: StoredDocument, change: 'created' | 'updated' | 'deleted') =>
  publish(tx, row.owner_id, { event: 'document', data: { id: row.id, project_id: row.project_id, change } })
