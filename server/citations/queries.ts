import { asc, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { citationStyles } from '#server/db/tables/citations.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projects } from '#server/db/tables/projects.ts'
import { profiles } from '#server/db/tables/profiles.ts'

/** A document with its reference, and the default style and language of its project. */
export type CitedRow = Pick<typeof documents.$inferSelect, 'id' | 'filename' | 'title' | 'reference'> & {
  project_id: string | null
  style: string | null
  language: string | null
}

/** Returns the documents with these ids that the caller may read, in any order. */
export function findCitedRows(tx: Tx, ids: readonly string[]): Promise<CitedRow[]> {
  const { id, filename, title, reference, project_id } = documents
  return tx
    .select({
      id,
      filename,
      title,
      reference,
      project_id,
      style: projects.citation_style,
      language: projects.citation_language,
    })
    .from(documents)
    .leftJoin(projects, eq(projects.id, documents.project_id))
    .where(sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`)
}

/** Returns the ids and titles of the styles that admins added, by title. */
export const listOwnStyles = (tx: Tx): Promise<{ id: string; title: string }[]> =>
  tx
    .select({ id: citationStyles.style_id, title: citationStyles.title })
    .from(citationStyles)
    .orderBy(asc(sql`lower(${citationStyles.title})`), asc(citationStyles.style_id))

/** Returns a style that admins added, or undefined. */
export async function findOwnStyle(tx: Tx, styleId: string) {
  const { title, xml, parent, locale } = citationStyles
  const [row] = await tx
    .select({ title, xml, parent, locale })
    .from(citationStyles)
    .where(eq(citationStyles.style_id, styleId))
  return row
}

const { xml: _xml, parent, locale, added_by: _by, ...own } = getTableColumns(citationStyles)
const listed = {
  ...own,
  parent,
  locale,
  added_by: sql<string | null>`coalesce(${profiles.full_name}, ${profiles.email})`,
}

/** Returns the styles that admins added, newest first, with the names of the admins. */
export const listStyleRows = (tx: Tx) =>
  tx
    .select(listed)
    .from(citationStyles)
    .leftJoin(profiles, eq(profiles.id, citationStyles.added_by))
    .orderBy(desc(citationStyles.created_at), asc(citationStyles.id))

/** Returns the ids of the independent styles that admins added. A dependent style can refer to them. */
export async function listIndependentIds(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ id: citationStyles.style_id })
    .from(citationStyles)
    .where(isNull(citationStyles.parent))
  return rows.map(({ id }) => id)
}

/** Inserts a style and returns its id; undefined if a style with this `style_id` exists. */
export async function insertStyleRow(tx: Tx, values: typeof citationStyles.$inferInsert): Promise<string | undefined> {
  const [row] = await tx
    .insert(citationStyles)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: citationStyles.id })
  return row?.id
}

/** Returns the titles of the dependent styles that refer to a style. */
export async function listDependents(tx: Tx, styleId: string): Promise<string[]> {
  const rows = await tx
    .select({ title: citationStyles.title })
    .from(citationStyles)
    .where(eq(citationStyles.parent, styleId))
  return rows.map(({ title }) => title)
}

/** Returns a style that admins added and locks it until the transaction ends; undefined if it does not exist. */
export async function lockStyleRow(tx: Tx, id: string) {
  const [row] = await tx.select().from(citationStyles).where(eq(citationStyles.id, id)).for('update')
  return row
}

/** Deletes a style. */
export async function deleteStyleRow(tx: Tx, id: string): Promise<void> {
  await tx.delete(citationStyles).where(eq(citationStyles.id, id))
}
