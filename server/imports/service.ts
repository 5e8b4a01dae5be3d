import { asActor, type Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { streamWithAccess } from '#server/events/watch-access.ts'
import type { Slice } from '#server/http/list-page.ts'
import { notFound } from '#server/lib/errors.ts'
import { authorize } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { storage } from '#server/storage/storage.ts'
import type { ImportDetail, ImportRecord, RecordOutcome } from '#shared/contract/imports.ts'
import type { PaperRecord } from '#shared/contract/paper-records.ts'
import {
  countUndo,
  findRecord,
  findRightsOfPaper,
  listImportRows,
  listRecordRows,
  listRecordsOfPaper,
  presentImport,
  sumImports,
} from './list-queries.ts'
import { findImport } from './queries.ts'

/** Maximum number of records that are listed for a paper. */
const PAPER_RECORDS_MAX = 100

/**
 * Returns a page of the imports of a project, newest first, and the numbers of records by outcome, summed over all imports that
 * are not undone.
 */
export const listImports = (actor: Actor, projectId: string, slice: Slice) =>
  asActor(
    actor,
    async (tx) => {
      await checkProject(tx, projectId, 'read')
      return { ...(await listImportRows(tx, projectId, slice)), totals: await sumImports(tx, projectId) }
    },
    projectId,
  )

/** Returns an import, and how many papers its undo would delete and keep. Throws 'Import not found'. */
export const getImport = (actor: Actor, id: string): Promise<ImportDetail> =>
  asActor(actor, async (tx) => {
    const row = await presentImport(tx, id)
    if (!row) throw notFound('Import')
    const stored = await findImport(tx, id)
    return { ...row, undo: await countUndo(tx, id), has_file: stored?.file_key != null }
  })

/** Returns a page of the records of an import; with `outcome`, only records with this outcome. Throws 'Import not found'. */
export const listRecords = (actor: Actor, id: string, outcome: RecordOutcome | undefined, slice: Slice) =>
  asActor(actor, async (tx) => {
    if (!(await findImport(tx, id))) throw notFound('Import')
    return listRecordRows(tx, id, outcome, slice)
  })

/** Returns the import records of a document, oldest first. Throws 'Document not found'. */
export const listPaperRecords = (actor: Actor, documentId: string): Promise<PaperRecord[]> =>
  asActor(actor, async (tx) => {
    authorize(await findRightsOfPaper(tx, documentId), 'read', 'Document')
    return listRecordsOfPaper(tx, documentId, PAPER_RECORDS_MAX)
  })

/**
 * Returns an import record with the text from which it was read, such as its entry in a RIS file. Throws 'Record not found'.
 */
export const getRecord = (actor: Actor, id: string): Promise<ImportRecord> =>
  asActor(actor, async (tx) => {
    const row = await findRecord(tx, id)
    if (!row) throw notFound('Record')
    return row
  })

/**
 * Opens the uploaded file of an import and returns its name, size in bytes, and content as a stream. Throws 'not_found' if the
 * import or its file does not exist. If the user loses the right to read the project during the download, the stream ends with
 * an error.
 */
export async function openImportFile(actor: Actor, id: string) {
  const check = async (tx: Tx) => {
    const row = await findImport(tx, id)
    if (!row) throw notFound('Import')
    return row
  }
  const row = await asActor(actor, check)
  const size = row.file_key === null ? null : await storage().size(row.file_key)
  if (row.file_key === null || size === null) throw notFound('File')
  return {
    filename: row.filename ?? 'references.txt',
    size,
    body: streamWithAccess(actor, check, await storage().read(row.file_key)),
  }
}
