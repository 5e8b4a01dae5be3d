import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projects } from '#server/db/tables/projects.ts'
import type { SearchWords } from './search-words.ts'

/**
 * The documents that fit the words, with a rank: to be joined with documents, which says who may see them. Looked up by the
 * database's own function, because indexes of text are not used under row-level security (see migration 0010).
 */
export const foundBy = ({ query, part }: SearchWords, projectId: string | null): SQL =>
  sql`search_documents(${projectId}::uuid, to_tsquery('english', ${query}), lower(${part}))`

/**
 * One page of what fits the words alone, best first, then newest, with the count of all pages. In a project thousands that
 * fit are not all ranked: see migration 0024.
 */
export async function rankedIds(tx: Tx, words: SearchWords, projectId: string | null, limit: number, offset: number) {
  if (projectId) {
    const { query, part, parts } = words
    const list = sql.join(
      parts.map((one) => sql`lower(${one})`),
      sql`, `,
    )
    const { rows } = await tx.execute<{ id: string; n: number }>(
      sql`select document_id as id, total as n from search_page(${projectId}::uuid, to_tsquery('english', ${query}), lower(${part}), array[${list}]::text[], ${limit}::int, ${offset}::int)`,
    )
    return rows
  }
  const found = foundBy(words, projectId)
  const { rows } = await tx.execute<{ id: string; n: number }>(
    sql`select document_id as id, (count(*) over ())::int as n from ${found} order by rank desc, created_at desc, document_id limit ${limit} offset ${offset}`,
  )
  return rows
}

/** The documents with one of these keywords, for `in`; by the database's own function as well. */
export const withKeywords = (keywords: readonly string[]): SQL =>
  sql`(select documents_of_keywords(array[${sql.join(
    keywords.map((one) => sql`${one}`),
    sql`, `,
  )}]::text[]))`

/** Pieces of the texts of these documents in which the words stand, each hit between U+0001 and U+0002. */
export async function snippetRows(tx: Tx, ids: readonly string[], { query, stems }: SearchWords) {
  if (ids.length === 0 || stems.length === 0) return new Map<string, string | null>()
  const list = sql.join(
    stems.map((stem) => sql`${stem}`),
    sql`, `,
  )
  const rows = await tx
    .select({
      id: documents.id,
      snippet: sql<
        string | null
      >`search_snippet(${documents.extracted_text}, to_tsquery('english', ${query}), array[${list}]::text[])`,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row.snippet]))
}

/** The caller's documents whose file has this content, the first one first, with the names of their projects. */
export const sameFileRows = (tx: Tx, contentHash: string) =>
  tx
    .select({
      id: documents.id,
      title: documents.title,
      filename: documents.filename,
      project_name: projects.name,
      created_at: documents.created_at,
    })
    .from(documents)
    .leftJoin(projects, eq(projects.id, documents.project_id))
    .where(eq(documents.content_hash, contentHash))
    .orderBy(documents.created_at)
    .limit(5)
