import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projects } from '#server/db/tables/projects.ts'
import type { SameFileQuery } from '#shared/contract/document-list.ts'
import { addressIn } from '#server/members/index.ts'
import type { SearchWords } from './search-words.ts'

interface Page extends Record<string, unknown> {
  ids: string[]
  count: number
}

const query = ({ query: words, part }: SearchWords): SQL => sql`to_tsquery('english', ${words}), lower(${part})`

/**
 * Returns one page of the documents that match the words, best match first, then newest, with the total count. If thousands of
 * documents match, not all are ranked (migrations 0024 and 0031). Uses database functions, because row-level security prevents
 * the use of text indexes (migration 0010).
 */
export async function rankedIds(
  tx: Tx,
  words: SearchWords,
  projectId: string | null,
  limit: number,
  offset: number,
): Promise<Page> {
  const list = sql.join(
    words.parts.map((one) => sql`lower(${one})`),
    sql`, `,
  )
  const read = async (wanted: number, skipped: number) => {
    const args = sql`${query(words)}, array[${list}]::text[], ${wanted}::int, ${skipped}::int`
    const found = projectId ? sql`search_page(${projectId}::uuid, ${args})` : sql`search_everywhere(${args})`
    return (await tx.execute<{ id: string; n: number }>(sql`select document_id as id, total as n from ${found}`)).rows
  }
  const rows = await read(limit, offset)
  // A page beyond the last has no row that contains the count.
  const [any] = rows.length > 0 || offset === 0 ? rows : await read(1, 0)
  return { ids: rows.map((row) => row.id), count: any?.n ?? 0 }
}

/**
 * Returns one page of the documents that match the words and the condition `where`, best match first, then newest. Ranks all
 * matches.
 */
export async function rankedAmong(
  tx: Tx,
  words: SearchWords,
  projectId: string | null,
  where: SQL,
  limit: number,
  offset: number,
): Promise<Page> {
  const { rows } = await tx.execute<Page>(sql`
    with among as materialized (select array(select ${documents.id} from ${documents} where ${where}) as ids),
    found as materialized (
      select document_id, rank, created_at
      from search_documents(${projectId}::uuid, ${query(words)}, (select among.ids from among)))
    select (select count(*)::int from found) as count, array(
      select document_id from found order by rank desc, created_at desc, document_id
      limit ${limit} offset ${offset}) as ids`)
  return rows[0]!
}

/**
 * Returns one page of the documents that match the words, in the order `order` (for example by title) instead of by rank.
 * PostgreSQL reads the index of this order.
 */
export async function sortedHits(
  tx: Tx,
  words: SearchWords,
  projectId: string | null,
  where: SQL,
  isFiltered: boolean,
  order: SQL,
  limit: number,
  offset: number,
): Promise<Page> {
  // `is true` prevents a join, which would read and sort all matches.
  const fits = sql`${where} and (${documents.id} in (select hits.id from hits)) is true`
  const all = isFiltered ? sql`${documents} where ${fits}` : sql`hits`
  const { rows } = await tx.execute<Page>(sql`
    with hits as materialized (select hit as id from search_hits(${projectId}::uuid, ${query(words)}) hit)
    select (select count(*)::int from ${all}) as count, array(
      select ${documents.id} from ${documents} where ${fits} order by ${order} limit ${limit} offset ${offset}) as ids`)
  return rows[0]!
}

/**
 * Returns one page of the documents that contain at least one of the words. With `order` null, documents with the most and the
 * rarest words are first, then the newest.
 */
export async function idsOfAnyWord(
  tx: Tx,
  { queries }: SearchWords,
  projectId: string | null,
  { where, order, limit, offset }: { where: SQL | null; order: SQL | null; limit: number; offset: number },
): Promise<Page> {
  const args = sql.join(
    queries.map((one) => sql`to_tsquery('english', ${one})`),
    sql`, `,
  )
  const fits = where ? sql`where document_id in (select ${documents.id} from ${documents} where ${where})` : sql``
  const sorted = order
    ? sql`select ${documents.id} from ${documents} join found on found.document_id = ${documents.id} order by ${order}`
    : sql`select document_id from found order by rank desc, created_at desc, document_id`
  const { rows } = await tx.execute<Page>(sql`
    with found as materialized (
      select document_id, rank, created_at from search_any(${projectId}::uuid, array[${args}]) ${fits})
    select (select count(*)::int from found) as count, array(${sorted} limit ${limit} offset ${offset}) as ids`)
  return rows[0]!
}

/**
 * Returns a subquery with the ids of the documents that have one of these keywords, ignoring case. Uses a database function,
 * because row-level security prevents the use of the index (migrations 0024 and 0041).
 */
export const withKeywords = (keywords: readonly string[]): SQL =>
  sql`(select documents_of_keywords(array[${sql.join(
    keywords.map((one) => sql`${one}`),
    sql`, `,
  )}]::text[]))`

/**
 * Returns a snippet of each document by id: the part of its text, or of its abstract if it has no text, with the searched
 * words. Each match in a snippet is between U+0001 and U+0002.
 */
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
      >`search_snippet(coalesce(nullif(${documents.extracted_text}, ''), ${documents.abstract}), to_tsquery('english', ${query}), array[${list}]::text[])`,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row.snippet]))
}

/**
 * Returns the five oldest documents with this file content that the caller may read, with the names and addresses of their
 * projects. With `project_id`, returns only documents of this project.
 */
export const sameFileRows = (tx: Tx, { content_hash, project_id }: SameFileQuery) =>
  tx
    .select({
      id: documents.id,
      title: documents.title,
      filename: documents.filename,
      project_name: projects.name,
      project_address: sql<string | null>`case when ${projects.id} is not null then ${addressIn(projects)} end`,
      created_at: documents.created_at,
    })
    .from(documents)
    .leftJoin(projects, eq(projects.id, documents.project_id))
    .where(and(eq(documents.content_hash, content_hash), project_id ? eq(documents.project_id, project_id) : undefined))
    .orderBy(documents.created_at)
    .limit(5)
