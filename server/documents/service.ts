import { createHash, randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import { asActor, brokenConstraint, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import { expectFiles, giveUpFiles, keepStoredFiles } from '#server/storage/removed-files.ts'
import type { Authorized } from '#server/members/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { streamWithAccess } from '#server/events/watch-access.ts'
import type { ByteRange } from '#server/storage/file-storage.ts'
import { lockJobsOf } from '#server/queue/queue.ts'
import { storage } from '#server/storage/storage.ts'
import { type ImportKind, recordPapers } from '#server/imports/index.ts'
import { countAsk } from '#server/keys/index.ts'
import { checkProject, projectOrThrow } from '#server/projects/index.ts'
import { NOT_A_PDF, storedFileName } from '#shared/contract/document-files.ts'
import { type DocumentDetail, isCheckedField, type ListedDocument } from '#shared/contract/documents.ts'
import { type DocumentPatch } from '#shared/contract/document-edits.ts'
import type { DocumentsQuery, SameFile, SameFileQuery } from '#shared/contract/document-list.ts'
import type { Passage } from '#shared/contract/passages.ts'
import { abstractText } from './abstract-text.ts'
import { startAutomatic } from './automatic.ts'
import { vectorizeAfterEdit } from './automatic-vectors.ts'
import { insertUpload } from './upload-queries.ts'
import { inSchemaOrder, referenceChange, refuseStaleReference, refuseUsedKey } from './edit-reference.ts'
import { editedAfter } from './edited-fields.ts'
import { presentDocument, withoutText } from './present.ts'
import { findDocumentRow, findDocumentText, type StoredDocument } from './queries.ts'
import { insertDocumentRow, updateDocumentRow } from './write-queries.ts'
import { listFilterRows } from './filter-queries.ts'
import { listDocumentRows } from './list-queries.ts'
import { sameFileRows } from './search-queries.ts'
import { receivePdfStream, type ReceivedFile } from './upload.ts'
import { documentOrThrow, editDocument, journalOf, linkKeywords, publishChange, refuseDeletedProject } from './rows.ts'

/**
 * Returns one page of the documents that match the query and that the caller may read, with the exact count of all pages.
 * `any_word` is true if no document contains all words of the search, so that the page has documents with any of them.
 */
export const listDocuments = (
  actor: Actor,
  query: DocumentsQuery,
): Promise<{ rows: ListedDocument[]; count: number; any_word: boolean }> =>
  asActor(actor, (tx) => listDocumentRows(tx, query), query.project_id === 'none' ? undefined : query.project_id)

/** Returns up to five documents with this file content that the caller may read, to warn of a second upload of a paper. */
export const listSameFiles = (actor: Actor, query: SameFileQuery): Promise<SameFile[]> =>
  asActor(actor, (tx) => sameFileRows(tx, query))

/** Returns the values by which the documents of a project can be filtered. */
export const listFilters = (actor: Actor, projectId: string) =>
  asActor(
    actor,
    async (tx) => {
      await checkProject(tx, projectId, 'read')
      return listFilterRows(tx, projectId)
    },
    projectId,
  )

/** Returns a document with its text. Throws AppError 'not_found'. */
export const getDocument = (actor: Actor, id: string): Promise<DocumentDetail> =>
  asActor(actor, async (tx) => presentDocument(await documentOrThrow(tx, id, 'read'), await findDocumentText(tx, id)))

/**
 * Stores a received PDF and creates its document with the status 'pending'. The form's field `project_id` is the project, or
 * empty for none. Its field `process_automatically` overrides the project's setting for this file. Throws 'scope' if it is
 * 'true' and the caller's API key lacks the scope 'ask'. Its field `document_id` is the id of the new document; a repeated
 * upload with this id and the same file returns the document of the first. Throws 'conflict' if another document has this id.
 */
export async function createDocument(
  actor: Actor,
  file: ReceivedFile,
  kind: ImportKind = 'upload',
): Promise<DocumentDetail> {
  if (!/\.pdf$/i.test(file.filename)) throw new AppError('wrong_type', NOT_A_PDF, { fields: { file: NOT_A_PDF } })
  const projectId = file.fields.project_id || null
  if (projectId && !z.uuid().safeParse(projectId).success) throw notFound('Project')
  // Checked before the file is stored, so that a wrong project leaves no file.
  const project = projectId ? await asActor(actor, (tx) => projectOrThrow(tx, projectId, 'edit')) : null
  const upload = uuidOf(file, 'upload_id')
  const chosen = uuidOf(file, 'document_id')
  const earlier = chosen && (await findUploaded(actor, chosen, file))
  if (earlier) return earlier
  const choice = file.fields.process_automatically
  if (choice === 'true') await countAsk(actor)
  const isAutomatic = choice === undefined ? project?.process_automatically === true : choice === 'true'
  // A folder per document: two uploads of the same name in the same millisecond are two files.
  const id = chosen ?? randomUUID()
  const key = `documents/${actor.userId}/${id}/${storedFileName(file.filename, new Date())}`
  await expectFiles([key])
  const store = async () => storage().putFile(key, file.path, 'application/pdf')
  const insert = async (tx: Tx) => {
    await keepStoredFiles(tx, [key])
    if (upload) await insertUpload(tx, upload, actor.userId)
    const row = await insertDocumentRow(tx, {
      id,
      owner_id: actor.userId,
      project_id: projectId,
      upload_id: upload,
      filename: file.filename,
      source_url: key,
      file_size: file.size,
      content_hash: file.sha256,
      status: 'pending',
    })
    await recordPapers(tx, actor.userId, kind, { ids: [row.id], projectId: row.project_id })
    await publishChange(tx, row, 'created')
    if (isAutomatic) await startAutomatic(tx, actor, row)
    return presentDocument(row, null)
  }
  return store()
    .then(() => asActor(actor, insert))
    .catch(async (error: unknown) => {
      await giveUpFiles([key])
      // Another request with the same id can have ended in the meantime.
      const first = chosen && (await findUploaded(actor, chosen, file))
      if (first) return first
      if (brokenConstraint(error) === 'documents_pkey') throw new AppError('conflict', ID_IS_USED)
      return refuseDeletedProject(error)
    })
}

const ID_IS_USED = 'Another document has this id. Select the file again.'

/**
 * Returns the document `id` if the caller has uploaded this file with this id before. Returns undefined if the caller sees no
 * document with this id. Throws 'conflict' for another document.
 */
const findUploaded = (actor: Actor, id: string, file: ReceivedFile): Promise<DocumentDetail | undefined> =>
  asActor(actor, async (tx) => {
    const row = await findDocumentRow(tx, id)
    if (!row) return undefined
    if (row.owner_id !== actor.userId || row.content_hash !== file.sha256) throw new AppError('conflict', ID_IS_USED)
    return presentDocument(row, row.has_text ? await findDocumentText(tx, id) : null)
  })

/** Returns a field of the form that contains an id, or null. */
function uuidOf({ fields }: ReceivedFile, name: 'upload_id' | 'document_id'): string | null {
  if (!fields[name]) return null
  const id = z.uuid().safeParse(fields[name])
  if (!id.success) throw new AppError('refused', `${name}: This is not a UUID.`)
  return id.data
}

const SAMPLE = new URL('sample-paper.pdf', import.meta.url)

/** Adds the sample paper as if it had been uploaded, for users without a PDF. */
export async function createSample(actor: Actor, projectId: string): Promise<DocumentDetail> {
  const file = await receivePdfStream((await openAsBlob(SAMPLE)).stream(), 'sample-paper.pdf', {
    project_id: projectId,
  })
  try {
    return await createDocument(actor, file)
  } finally {
    await file.remove()
  }
}

/**
 * Changes the fields of `patch` and returns the document. Creates a journal that is named without an id, if it is missing.
 * Links changed keywords as tags, and searches changed statements in the text. A changed field counts as edited by a user
 * unless `looked_up` contains it: then the value comes from a metadata service. A looked-up title, author, DOI, date or journal
 * marks the metadata as checked, so that later analyses do not change it. A Semantic Scholar id (`semantic_paperid`) or a
 * retraction also marks it. Throws 'changed' if another request has changed a field of the patch after `patch.version`, the
 * version that the caller read.
 */
export async function updateDocument(actor: Actor, id: string, patch: DocumentPatch): Promise<DocumentDetail> {
  const { looked_up = [], version, reference, ...columns } = patch
  let hasLostVectors = false
  const refuseStale = (row: StoredDocument) => {
    refuseStaleChange(row, columns, version, withoutText)
    refuseStaleReference(row, reference, version)
  }
  const plan = async (tx: Tx, before: StoredDocument) => {
    refuseStale(before)
    if (patch.project_id) await checkProject(tx, patch.project_id, 'edit')
    const isLookedUp =
      Boolean(patch.semantic_paperid) || patch.retracted !== undefined || looked_up.some(isCheckedField)
    return {
      ...columns,
      // A document without a project belongs to its creator.
      ...(patch.project_id === null ? { owner_id: actor.userId } : {}),
      ...(await journalOf(tx, actor, patch)),
      ...(reference ? await referenceChange(tx, actor, before, reference, looked_up) : {}),
      ...(isLookedUp ? { metadata_checked_at: new Date().toISOString() } : {}),
    }
  }
  const save = async (
    tx: Tx,
    before: Authorized<StoredDocument>,
    change: Awaited<ReturnType<typeof plan>>,
    passages: Passage[],
  ) => {
    refuseStale(before)
    const edited_fields = editedAfter({ ...before, reference: inSchemaOrder(before.reference) }, change, looked_up)
    const project = patch.project_id === undefined ? before.project_id : patch.project_id
    await refuseUsedKey(tx, id, project, reference)
    const row = await updateDocumentRow(tx, before, { ...change, passages, edited_fields })
    hasLostVectors =
      (before.vectorized_at !== null && row.vectorized_at === null) || abstractText(row) !== abstractText(before)
    if (project !== before.project_id) await recordPapers(tx, actor.userId, 'upload', { ids: [id], projectId: project })
    if (change.keywords) await linkKeywords(tx, actor, row, change.keywords)
    return row
  }
  const lockJobs = patch.project_id === undefined ? undefined : (tx: Tx) => lockJobsOf(tx, { documentIds: [id] })
  const saved = await editDocument(actor, id, plan, save, lockJobs).catch(refuseUnknownJournal)
  if (hasLostVectors) await vectorizeAfterEdit(actor, id)
  return presentDocument(saved, await asActor(actor, (tx) => findDocumentText(tx, id)))
}

function refuseUnknownJournal(error: unknown): never {
  if (brokenConstraint(error) !== 'documents_journal_id_journals_id_fk') throw error
  throw new AppError('refused', 'Journal not found', { fields: { journal_id: 'Journal not found' }, cause: error })
}

/** Returns the document's PDF; `read` streams it. Throws 'not_found' when the document has no file. */
export async function openDocumentFile(
  actor: Actor,
  id: string,
): Promise<{
  filename: string
  size: number
  version: string
  read: (range?: ByteRange) => Promise<ReadableStream<Uint8Array>>
}> {
  const check = (tx: Tx) => documentOrThrow(tx, id, 'read')
  const row = await asActor(actor, check)
  const key = row.source_url
  if (!key) throw new AppError('not_found', 'Document source URL not found')
  const size = await storage().size(key)
  if (size === null) throw new AppError('not_found', 'Document source URL not found')
  // Stored files are immutable: another file of the document has another key.
  const version = createHash('sha256').update(`${key} ${size}`).digest('base64url')
  const read = async (range?: ByteRange) => streamWithAccess(actor, check, await storage().read(key, range))
  return { filename: row.filename, size, version, read }
}
