import { randomUUID } from 'node:crypto'
import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { authorize } from '#server/members/index.ts'
import { expectFiles, giveUpFiles, keepStoredFiles } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { storage } from '#server/storage/storage.ts'
import { type ImportKind, recordPapers } from '#server/imports/index.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { NOT_A_PDF, storedFileName } from '#shared/contract/document-files.ts'
import { type DocumentRow, type EditedField } from '#shared/contract/documents.ts'
import { type LookedUpField, lookedUpFields } from '#shared/contract/lookup.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import { startAutomatic } from './automatic.ts'
import { IN_JOURNALS } from './edit-reference.ts'
import { presentRow } from './present.ts'
import { lockDocumentRow, settledStatus, type StoredDocument } from './queries.ts'
import { insertDocumentRow, updateDocumentRow } from './write-queries.ts'
import { documentOrThrow, lockedOrThrow, namedJournal, publishChange, type StillRunning } from './rows.ts'
import type { ReceivedFile } from './upload.ts'

/** The metadata of a paper that is known before its file. `reference` also has fields for which the table has no column. */
export type KnownPaper = Partial<Pick<StoredDocument, 'title' | 'reference'>> &
  Partial<
    Pick<
      StoredDocument,
      | 'doi_link'
      | 'authors'
      | 'journal_name'
      | 'publication_date'
      | 'abstract'
      | 'link'
      | 'semantic_paperid'
      | 'retracted'
    >
  >

/** Creates a document without a file from the metadata of a paper, with the status 'pending'. */
export async function insertPaper(
  tx: Tx,
  actor: Actor,
  projectId: string,
  paper: KnownPaper,
  kind: ImportKind,
): Promise<DocumentRow> {
  const row = await insertDocumentRow(tx, {
    ...paper,
    ...(await journalOfPaper(tx, actor, paper)),
    id: randomUUID(),
    owner_id: actor.userId,
    project_id: projectId,
    filename: '',
    metadata_checked_at: new Date().toISOString(),
    status: 'pending',
  })
  await recordPapers(tx, actor.userId, kind, { ids: [row.id], projectId })
  await publishChange(tx, row, 'created')
  return presentRow(row)
}

/**
 * Returns the journal columns of a paper, and its reference with the stored name of the journal. Returns no journal for a type
 * that is not published in journals.
 */
async function journalOfPaper(tx: Tx, actor: Actor, { reference, journal_name }: KnownPaper) {
  const container = reference?.['container-title']
  if (!container) return namedJournal(tx, actor, journal_name)
  if (!IN_JOURNALS.has(reference?.type ?? 'article-journal')) return {}
  const { journal_id, journal_name: name } = await namedJournal(tx, actor, container)
  return { journal_id, reference: { ...reference, 'container-title': name ?? container } }
}

/**
 * Stores a received PDF in a document without a file. The status becomes 'pending'. Then starts the automatic processing, if it
 * is switched on in the project. Throws 'conflict' if the document already has a file, and 'wrong_type' if the file name does
 * not end in '.pdf'.
 */
export async function attachFile(
  actor: Actor,
  id: string,
  file: ReceivedFile,
  assertStillRunning?: StillRunning,
): Promise<DocumentRow> {
  if (!/\.pdf$/i.test(file.filename)) throw new AppError('wrong_type', NOT_A_PDF, { fields: { file: NOT_A_PDF } })
  const before = await asActor(actor, (tx) => documentOrThrow(tx, id, 'edit'))
  refuseSecondFile(before)
  const key = `documents/${actor.userId}/${id}/${storedFileName(file.filename, new Date())}`
  await expectFiles([key])
  const store = async () => storage().putFile(key, file.path, 'application/pdf')
  const attach = async (tx: Tx) => {
    await assertStillRunning?.(tx)
    await keepStoredFiles(tx, [key])
    const locked = await lockedOrThrow(tx, id)
    refuseSecondFile(locked)
    const changed = await updateDocumentRow(tx, locked, {
      filename: file.filename,
      source_url: key,
      file_size: file.size,
      content_hash: file.sha256,
      status: 'pending',
      status_message: null,
    })
    await publishChange(tx, changed, 'updated')
    const { project_id } = changed
    const project = project_id === null ? null : await projectOrThrow(tx, project_id, 'edit')
    return { row: changed, automatic: project?.process_automatically ?? false }
  }
  const { row, automatic } = await store()
    .then(() => asActor(actor, attach))
    .catch(async (error: unknown) => {
      await giveUpFiles([key])
      throw error
    })
  if (automatic)
    await asActor(actor, (tx) => startAutomatic(tx, actor, row)).catch((error: unknown) => {
      log.warn({ err: error, document: id }, 'a new document could not be processed automatically')
    })
  return presentRow(row)
}

function refuseSecondFile(row: StoredDocument): void {
  if (row.source_url) throw new AppError('conflict', 'This document has a PDF already.')
}

/**
 * Stores `message`, the reason why no PDF was found for a document (null for no reason), and sets the status of a document
 * without a running job (`settledStatus`). Does nothing if the document has a file or is deleted. Runs without row-level
 * security, because the user of the job can have lost the right to change the document.
 */
export function markFileMissing(id: string, message: string | null, assertStillRunning?: StillRunning): Promise<void> {
  return asSystem(async (tx) => {
    await assertStillRunning?.(tx)
    const row = await lockDocumentRow(tx, id)
    if (!row || row.source_url || row.deleted_at !== null) return
    const changed = await updateDocumentRow(tx, authorize(row, 'edit', 'Document'), {
      status: settledStatus,
      status_message: message,
    })
    await publishChange(tx, changed, 'updated')
  })
}

/**
 * Fills the empty fields of a document with values of a metadata service, and marks a retracted paper. Does not change fields
 * that users edited, even if they are empty now. The type 'article-journal', which every new paper has, counts as empty.
 */
export function fillPaper(
  actor: Actor,
  id: string,
  facts: Omit<KnownPaper, 'title' | 'publication_date'>,
  assertStillRunning?: StillRunning,
): Promise<void> {
  return asActor(actor, async (tx) => {
    await assertStillRunning?.(tx)
    const before = await lockDocumentRow(tx, id)
    if (!before) return
    const isOpen = (field: EditedField) => !before.edited_fields.includes(field)
    const journal = before.journal_name || !isOpen('journal_name') ? null : facts.journal_name
    const issued = before.reference.issued || !isOpen('publication_date') ? undefined : facts.reference?.issued
    const reference = { ...missingFields(before, facts.reference), ...(issued && { issued }) }
    const isInJournal = IN_JOURNALS.has(reference.type ?? before.reference.type ?? 'article-journal')
    const changed = await updateDocumentRow(tx, authorize(before, 'edit', 'Document'), {
      authors: before.authors.length > 0 || !isOpen('authors') ? before.authors : (facts.authors ?? []),
      abstract: before.abstract ?? (isOpen('abstract') ? facts.abstract : null),
      semantic_paperid: before.semantic_paperid ?? facts.semantic_paperid ?? null,
      retracted: before.retracted || (facts.retracted ?? false),
      ...(isInJournal
        ? await namedJournal(tx, actor, journal)
        : { journal_id: null, ...(journal ? { journal_name: journal } : {}) }),
      reference,
    })
    await publishChange(tx, changed, 'updated')
  })
}

/**
 * Returns the fields of `known`, the reference from a metadata service, that the document's reference lacks and that no user
 * edited.
 */
function missingFields({ reference, edited_fields }: StoredDocument, known: StoredReference = {}): StoredReference {
  const isMissing = (name: LookedUpField) =>
    !edited_fields.includes(name) &&
    (name === 'type' ? (reference.type ?? 'article-journal') === 'article-journal' : !reference[name])
  const fields = Object.entries(lookedUpFields(known)) as [LookedUpField, string][]
  return Object.fromEntries(fields.filter(([name]) => isMissing(name)))
}
