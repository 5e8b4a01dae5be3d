import { and, asc, count, desc, eq, getTableColumns, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { importRecords, imports } from '#server/db/tables/imports.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import { listNames, mayIn } from '#server/members/index.ts'
import type { ImportRecord, ImportRecordRow, ImportRow, importTotals, RecordOutcome } from '#shared/contract/imports.ts'
import type { PaperRecord } from '#shared/contract/paper-records.ts'
import type { z } from 'zod'
import type { ProjectRight } from '#shared/contract/roles.ts'
import { displayName } from '#shared/references/names.ts'
import { plainText, type StoredReference, yearOf } from '#shared/references/columns.ts'
import type { StoredImport } from './queries.ts'

type FoundImport = Omit<StoredImport, 'file_key'> & { may: ProjectRight[] }

/** Converts imports to rows of the API, with the name of the account that created each import. */
async function presentImports(tx: Tx, rows: readonly FoundImport[]): Promise<ImportRow[]> {
  const ids = [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]
  const names = await withOwnerRole(tx, () => listNames(tx, ids))
  return rows.map((row) => ({
    ...row,
    created_by_name: row.created_by === null ? null : (names.get(row.created_by) ?? null),
  }))
}

const { file_key: _file, ...shownColumns } = getTableColumns(imports)
const found = { import: shownColumns, may: mayIn(sql`${imports}.project_id`) }

/** Returns a page of the imports of a project, newest first. */
export async function listImportRows(tx: Tx, projectId: string, { limit, offset }: Slice): Promise<Listed<ImportRow>> {
  const where = eq(imports.project_id, projectId)
  const rows = tx
    .select(found)
    .from(imports)
    .where(where)
    .orderBy(desc(imports.created_at), desc(imports.id))
    .offset(offset)
  const page = limit === undefined ? await rows : await rows.limit(limit)
  const [total] = await tx.select({ n: count() }).from(imports).where(where)
  const data = await presentImports(
    tx,
    page.map(({ import: row, may }) => ({ ...row, may })),
  )
  return { data, count: total!.n }
}

/** Returns how many import records of a project had each outcome, summed over all imports that were not undone. */
export async function sumImports(tx: Tx, projectId: string): Promise<z.infer<typeof importTotals>> {
  const sum = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)::int`
  const [row] = await tx
    .select({
      read_count: sum(imports.read_count),
      created_count: sum(imports.created_count),
      joined_count: sum(imports.joined_count),
      joined_within_count: sum(imports.joined_within_count),
      skipped_count: sum(imports.skipped_count),
      failed_count: sum(imports.failed_count),
    })
    .from(imports)
    .where(and(eq(imports.project_id, projectId), sql`${imports.undone_at} is null`))
  return row!
}

/**
 * Returns an import in the form of the API responses, with the name of the account that created it; undefined if the caller
 * cannot see it.
 */
export async function presentImport(tx: Tx, id: string): Promise<ImportRow | undefined> {
  const [row] = await tx.select(found).from(imports).where(eq(imports.id, id))
  return row && (await presentImports(tx, [{ ...row.import, may: row.may }]))[0]
}

/**
 * Returns the SQL condition that only the import `id` uses a paper `d`: the paper has no file, and no other import that is not
 * undone has a record of it.
 */
const usedOnlyBy = (id: string) => sql`d.source_url is null and not exists (
  select from ${importRecords} o join ${imports} i on i.id = o.import_id
  where o.document_id = d.id and o.import_id <> ${id}::uuid and i.undone_at is null)`

/** Returns the SQL condition that the import `id` has a record of a paper `d`, and that the paper is still in its project. */
const ofImport = (id: string) => sql`exists (
  select from ${importRecords} r
  where r.import_id = ${id}::uuid and r.document_id = d.id and r.project_id = d.project_id)`

/** Returns how many papers of an import its undo would delete, and how many would stay. */
export async function countUndo(tx: Tx, id: string): Promise<{ deleted: number; stays: number }> {
  const { rows } = await tx.execute<{ deleted: number; stays: number }>(sql`
    select count(*) filter (where ${usedOnlyBy(id)})::int as deleted,
      count(*) filter (where not (${usedOnlyBy(id)}))::int as stays
    from ${documents} d where d.deleted_at is null and ${ofImport(id)}`)
  return rows[0]!
}

/**
 * Returns the ids of up to `limit` papers that only the import `id` uses: the paper has no file, and no other import that is
 * not undone has a record of it.
 */
export async function listUsedOnlyBy(tx: Tx, id: string, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from ${documents} d where d.deleted_at is null and ${ofImport(id)} and ${usedOnlyBy(id)} limit ${limit}`)
  return rows.map((row) => row.id)
}

/**
 * Returns the ids of up to `limit` papers that an import created and that have a DOI and no file, in the order of their ids.
 * Starts after the id `after`, or at the first paper if `after` is null.
 */
export async function listWithoutFile(tx: Tx, id: string, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from ${documents} d
    where d.deleted_at is null and d.source_url is null and d.doi_key is not null
      and exists (select from ${importRecords} r
        where r.import_id = ${id}::uuid and r.document_id = d.id and r.outcome = 'created')
      ${after === null ? sql`` : sql`and d.id > ${after}::uuid`}
    order by d.id limit ${limit}`)
  return rows.map((row) => row.id)
}

/** The parts of a reference that lists show. The whole reference is not read, because it can contain thousands of names. */
const shown = sql<StoredReference>`jsonb_strip_nulls(jsonb_build_object('title', ${importRecords.reference} -> 'title',
  'author', jsonb_path_query_array(${importRecords.reference}, '$.author[0 to 9]'),
  'issued', ${importRecords.reference} -> 'issued'))`

const recordColumns = {
  id: importRecords.id,
  position: importRecords.position,
  line: importRecords.line,
  reference: shown,
  outcome: importRecords.outcome,
  reason: importRecords.reason,
  has_raw: sql<boolean>`${importRecords.raw} is not null`,
  document_id: documents.id,
  document_title: documents.title,
  citation_key: sql<string | null>`${documents.reference} ->> 'citation-key'`,
}

const present = ({
  reference,
  document_id,
  document_title,
  citation_key,
  ...row
}: Omit<ImportRecordRow, 'title' | 'authors' | 'year' | 'document'> & {
  reference: StoredReference
  document_id: string | null
  document_title: string | null
  citation_key: string | null
}): ImportRecordRow => ({
  ...row,
  title: plainText(reference.title) || null,
  authors: (reference.author ?? []).map(displayName),
  year: yearOf(reference),
  document: document_id === null ? null : { id: document_id, title: document_title, citation_key },
})

/** Join condition: the document of a record, if it is still in the project of the record. */
const ofSameProject = and(
  eq(documents.id, importRecords.document_id),
  eq(documents.project_id, importRecords.project_id),
)

/**
 * Returns a page of the records of an import in their order in the import; with `outcome`, only records with this outcome. A
 * page without a limit has 50 records.
 */
export async function listRecordRows(
  tx: Tx,
  importId: string,
  outcome: RecordOutcome | undefined,
  { limit, offset }: Slice,
): Promise<Listed<ImportRecordRow>> {
  const where = and(eq(importRecords.import_id, importId), outcome && eq(importRecords.outcome, outcome))
  const rows = await tx
    .select(recordColumns)
    .from(importRecords)
    .leftJoin(documents, ofSameProject)
    .where(where)
    .orderBy(asc(importRecords.position))
    .limit(limit ?? 50)
    .offset(offset)
  const [total] = await tx.select({ n: count() }).from(importRecords).where(where)
  return { data: rows.map(present), count: total!.n }
}

/** Returns the rights of the caller for a document, or undefined if the caller cannot read it. */
export async function findRightsOfPaper(tx: Tx, documentId: string) {
  const [row] = await tx
    .select({ may: mayIn(sql`${documents}.project_id`) })
    .from(documents)
    .where(eq(documents.id, documentId))
  return row
}

/** Returns up to `limit` import records of a paper, oldest first. Omits records of imports that were undone. */
export const listRecordsOfPaper = (tx: Tx, documentId: string, limit: number): Promise<PaperRecord[]> =>
  tx
    .select({
      id: importRecords.id,
      import_id: importRecords.import_id,
      position: importRecords.position,
      outcome: importRecords.outcome,
      kind: imports.kind,
      source_name: imports.source_name,
      filename: imports.filename,
      created_at: imports.created_at,
    })
    .from(importRecords)
    .innerJoin(imports, eq(imports.id, importRecords.import_id))
    .where(and(eq(importRecords.document_id, documentId), isNull(imports.undone_at)))
    .orderBy(asc(imports.created_at), asc(imports.id), asc(importRecords.position))
    .limit(limit)

/**
 * Returns a record of an import with the text from which it was read, such as its entry in a RIS file; undefined if it does not
 * exist.
 */
export async function findRecord(tx: Tx, id: string): Promise<ImportRecord | undefined> {
  const [row] = await tx
    .select({ ...recordColumns, raw: importRecords.raw, whole: importRecords.reference })
    .from(importRecords)
    .leftJoin(documents, ofSameProject)
    .where(eq(importRecords.id, id))
  if (!row) return undefined
  const { raw, whole, ...shownRow } = row
  return { ...present(shownRow), raw, reference: { ...whole } }
}
