import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { AppError } from '#server/lib/errors.ts'
import { authorize, type Authorized } from '#server/members/index.ts'
import type { EditedField } from '#shared/contract/documents.ts'
import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import { newCitationKey } from '#shared/references/citation-key.ts'
import {
  columnsOf,
  FIELD_OF_COLUMN,
  REFERENCE_COLUMNS,
  type ReferenceColumns,
  type StoredReference,
  withColumns,
} from '#shared/references/columns.ts'
import { isEmpty } from '#shared/references/is-empty.ts'
import { settledStatus, storedColumns, type StoredDocument } from './queries.ts'

/** The fields of a reference to change. The value null removes a field. */
export type ReferenceChange = { [Field in keyof StoredReference]?: StoredReference[Field] | null }

/** The columns that the database fills from the reference. */
type Derived = 'ref_type' | 'ref_year' | 'pmid' | 'isbn13' | 'arxiv_id' | 'title_match' | 'first_author_match'
type NewDocument = Omit<typeof documents.$inferInsert, 'reference' | Derived> & { reference?: ReferenceChange }

/** The columns of a document to change. The status can be an SQL expression. */
type DocumentChange = Omit<Partial<NewDocument>, 'status'> & { status?: string | SQL<string> }

/**
 * Inserts a document and returns it. Also stores the values of the bibliographic columns, such as title and authors, in
 * `reference`.
 */
export async function insertDocumentRow(tx: Tx, row: NewDocument): Promise<StoredDocument> {
  const bibliography = bibliographyAfter({ reference: {}, filename: row.filename }, row)
  const [created] = await tx
    .insert(documents)
    .values({ ...row, ...bibliography })
    .returning(storedColumns)
  return created!
}

/**
 * Changes a locked document and returns it. A change of a bibliographic column also changes the reference, and a change of the
 * reference changes the columns; if both contain a field, the value in `reference` is stored. Throws 'role' if the caller has
 * lost the right to change the document since it was locked.
 */
export async function updateDocumentRow(
  tx: Tx,
  { id }: Authorized<Pick<StoredDocument, 'id'>>,
  { reference, ...columns }: DocumentChange,
): Promise<Authorized<StoredDocument>> {
  const isBibliographic = reference !== undefined || REFERENCE_COLUMNS.some((name) => columns[name] !== undefined)
  const [stored] = isBibliographic
    ? await tx
        .select({
          reference: documents.reference,
          filename: documents.filename,
          edited_fields: documents.edited_fields,
        })
        .from(documents)
        .where(eq(documents.id, id))
        .for('update')
    : []
  const { edited_fields } = columns
  const bibliography = stored
    ? bibliographyAfter({ ...stored, ...(edited_fields ? { edited_fields } : {}) }, { ...columns, reference })
    : {}
  const [row] = await tx
    .update(documents)
    .set({ ...columns, ...bibliography, updated_at: sql`now()` })
    .where(eq(documents.id, id))
    .returning(storedColumns)
  if (!row) throw new AppError('role', ROLE_TOO_SMALL)
  return authorize(row, 'read', 'Document')
}

/** Columns whose values a copy does not get from its source document. The database fills the derived columns. */
const NOT_COPIED = [
  'id',
  'owner_id',
  'project_id',
  'upload_id',
  'title_key',
  'doi_key',
  'ref_type',
  'ref_year',
  'pmid',
  'isbn13',
  'arxiv_id',
  'title_match',
  'first_author_match',
  'status',
  'analysis_undo',
  'analysis_prompt_version_id',
  'run_id',
  'created_at',
  'updated_at',
  'version',
  'field_versions',
  'deleted_at',
] as const

/**
 * Copies a document into a project, with its text and analysis, and returns the copy. Returns undefined if the caller may not
 * read the document. The copy refers to the stored file of the source, so call `lockStoredFiles` before.
 */
export async function copyDocumentRow(
  tx: Tx,
  id: string,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<StoredDocument | undefined> {
  const { project_id, owner_id, status, ...columns } = getTableColumns(documents)
  const settled = sql`case when ${status} <> 'processing' then ${status} else ${settledStatus} end`
  const same = Object.entries(columns).filter(([name]) => !(NOT_COPIED as readonly string[]).includes(name))
  const names = [project_id, owner_id, status, ...same.map(([, column]) => column)].map((column) =>
    sql.identifier(column.name),
  )
  const values = [sql`${projectId}::uuid`, sql`${userId}`, settled, ...same.map(([, column]) => sql`${column}`)]
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into ${documents} (${sql.join(names, sql`, `)})
    select ${sql.join(values, sql`, `)} from ${documents} where ${columns.id} = ${id}::uuid returning id`)
  const copy = rows[0]
  if (!copy) return undefined
  const [row] = await tx.select(storedColumns).from(documents).where(eq(documents.id, copy.id))
  return row
}

/**
 * Returns the reference after a change, and the columns that have the same values (FND-02). A paper without title and author
 * has a citation key from its file name; the key is replaced when a title or an author is added, unless a user edited it.
 */
function bibliographyAfter(
  stored: { reference: StoredReference; filename: string; edited_fields?: readonly EditedField[] },
  { reference = {}, ...columns }: Partial<ReferenceColumns> & { reference?: ReferenceChange | undefined },
): ReferenceColumns & { reference: StoredReference } {
  const { reference: before, filename, edited_fields = [] } = stored
  const given = REFERENCE_COLUMNS.filter((name) => columns[name] !== undefined && !(FIELD_OF_COLUMN[name] in reference))
  const changed = withColumns(before, Object.fromEntries(given.map((name) => [name, columns[name]])))
  const next = Object.fromEntries(
    Object.entries({ ...changed, ...reference }).filter(([, value]) => !isEmpty(value)),
  ) as StoredReference
  const isPreliminary = !before.title && !before.author && !edited_fields.includes('citation-key')
  const key =
    reference['citation-key'] || (isPreliminary || 'citation-key' in reference ? null : before['citation-key'])
  next['citation-key'] = key || newCitationKey(next, filename)
  return { ...columnsOf(next), reference: next }
}

/**
 * Returns `key` if no other document of the project has this citation key, else the key with the first free letter after it.
 * Locks the citation keys of the project.
 */
export async function freeCitationKey(tx: Tx, projectId: string, key: string, id: string): Promise<string> {
  const { rows } = await tx.execute<{ key: string }>(
    sql`select free_citation_key(${projectId}::uuid, ${key}, ${id}::uuid) as key`,
  )
  return rows[0]!.key
}
