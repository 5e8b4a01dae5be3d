import { and, count, eq, inArray, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { zoteroItems } from '#server/db/tables/zotero.ts'
import { mayIn } from '#server/members/index.ts'
import { UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'
import type { DocumentSort, DocumentsQuery } from '#shared/contract/document-list.ts'
import type { CslName } from '#shared/contract/references.ts'
import { shortAuthorsOf } from '#shared/references/short-authors.ts'
import { failedStep, vectorError } from './failure-queries.ts'
import { idsOfAnyWord, rankedAmong, rankedIds, snippetRows, sortedHits, withKeywords } from './search-queries.ts'
import { fieldParts, searchWords, snippetParts, type SearchWords } from './search-words.ts'

const rowColumns = {
  id: documents.id,
  project_id: documents.project_id,
  owner_id: documents.owner_id,
  title: documents.title,
  filename: documents.filename,
  source_url: documents.source_url,
  doi_link: documents.doi_link,
  publication_date: documents.publication_date,
  ref_year: documents.ref_year,
  journal_name: documents.journal_name,
  journal_id: documents.journal_id,
  semantic_paperid: documents.semantic_paperid,
  authors: documents.authors,
  author_names: sql<CslName[] | null>`${documents.reference}->'author'`,
  retracted: documents.retracted,
  evidence_level: documents.evidence_level,
  keywords: documents.keywords,
  edited_fields: documents.edited_fields,
  status: documents.status,
  status_message: documents.status_message,
  failed_step: failedStep,
  vector_error: vectorError,
  analysis_model: documents.analysis_model,
  analyzed_at: documents.analyzed_at,
  vectorized_at: documents.vectorized_at,
  created_at: documents.created_at,
  updated_at: documents.updated_at,
  version: documents.version,
  page_count: documents.page_count,
  file_size: documents.file_size,
  extraction_method: documents.extraction_method,
  text_warning: documents.text_warning,
  may: mayIn(sql`${documents}.project_id`),
  removed_in_zotero: sql<boolean>`coalesce((
    select bool_and(z.removed_at is not null) from ${zoteroItems} z where z.document_id = ${documents}.id), false)`,
}

const sortColumns: Record<DocumentSort, SQLWrapper> = {
  // Sorts by the displayed value: the title falls back to the filename.
  title: documents.title_key,
  authors: documents.first_author_match,
  journal_name: sql`lower(${documents.journal_name})`,
  doi_link: documents.doi_link,
  semantic_paperid: documents.semantic_paperid,
  status: documents.status,
  created_at: documents.created_at,
  publication_date: documents.ref_year,
}
/**
 * Sort columns that can be empty. Documents without a value are last, in ascending and in descending order. Other columns must
 * not have `nulls last`, because it would prevent the use of their indexes.
 */
const MAY_BE_EMPTY: ReadonlySet<DocumentSort> = new Set([
  'authors',
  'journal_name',
  'doi_link',
  'semantic_paperid',
  'publication_date',
])

/** The parameters of the list that are not filters in CONDITIONS: the search, the page and the order. */
type Paging = 'search' | 'page' | 'limit' | 'order_by'
type Filters = Omit<DocumentsQuery, Paging>

/**
 * Returns the SQL condition of each filter, or undefined if the filter is not set. TypeScript requires an entry for every
 * parameter that is not in Paging.
 */
const CONDITIONS: Record<keyof Filters, (filters: Filters) => SQL | undefined> = {
  project_id: ({ project_id: id }) => (id ? ofProject(id === 'none' ? null : id) : undefined),
  status: ({ status: statuses }) =>
    statuses.length > 0
      ? inArray(
          documents.status,
          statuses.flatMap((status) => (status === 'completed' ? ['completed', 'processed'] : [status])),
        )
      : undefined,
  keyword: ({ keyword }) => (keyword.length > 0 ? sql`${documents.id} in ${withKeywords(keyword)}` : undefined),
  evidence_level: ({ evidence_level: levels }) =>
    levels.length > 0
      ? or(
          inArray(documents.evidence_level, levels),
          levels.includes(UNKNOWN_EVIDENCE_LEVEL)
            ? or(isNull(documents.evidence_level), eq(documents.evidence_level, ''))
            : undefined,
        )
      : undefined,
}

/** Returns the conditions of the filters that are set. */
const conditionsOf = (filters: Filters): SQL[] =>
  Object.values(CONDITIONS)
    .map((condition) => condition(filters))
    .filter((one) => one !== undefined)

/** Returns the SQL condition that a document is in this project, or in no project if `id` is null. */
export const ofProject = (id: string | null): SQL =>
  id === null ? isNull(documents.project_id) : eq(documents.project_id, id)

/**
 * Returns one page of the documents that match the query, with the exact count of all pages, and with snippets for a
 * search.
 */
export async function listDocumentRows(tx: Tx, query: DocumentsQuery) {
  const words = query.search ? searchWords(query.search) : null
  const { ids, count, any_word } = await (words ? searchIds(tx, query, words) : plainIds(tx, query))
  const found = ids.length > 0 ? await rowsOf(tx, ids) : []
  const marking = words && any_word ? { ...words, query: words.queries.join(' | ') } : words
  const snippets = marking ? await snippetRows(tx, ids, marking) : null
  const byId = new Map(found.map((row) => [row.id, row]))
  const rows = ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { author_names, ...shown } = row
    const authors_short = shortAuthorsOf({ author: author_names ?? [] }, row.authors)
    const marked = snippets?.get(id)
    const snippet = marked ? snippetParts(marked) : words ? fieldParts(row, query.search) : null
    return [{ ...shown, authors_short, snippet }]
  })
  return { rows, count, any_word }
}

/**
 * Returns the rows of a list. The prepared statement has a name, so that PostgreSQL plans it once for each connection: planning
 * takes as long as reading a page of rows, because of the many columns and row-level policies.
 */
const rowsOf = (tx: Tx, ids: readonly string[]) =>
  tx
    .select(rowColumns)
    .from(documents)
    .where(sql`${documents.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('document_rows')
    .execute({ ids })

/** Returns the SQL of the requested order, such as 'title.asc'. Documents with equal values are ordered newest first. */
function orderOf(sort: string): SQL {
  const [field, direction] = sort.split('.') as [DocumentSort, 'asc' | 'desc' | undefined]
  const turned = sql.raw(direction === 'desc' ? 'desc' : 'asc')
  const empty = sql.raw(MAY_BE_EMPTY.has(field) ? ' nulls last' : '')
  // A year without a day follows the days of the year.
  const day = field === 'publication_date' ? sql`${documents.publication_date} ${turned} nulls last, ` : sql``
  return sql`${sortColumns[field]} ${turned}${empty}, ${day}${documents.created_at} desc, ${documents.id}`
}

async function plainIds(tx: Tx, query: DocumentsQuery) {
  const where = and(...conditionsOf(query))
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(where)
    .orderBy(orderOf(query.order_by ?? 'created_at.desc'))
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
  const [total] = await tx.select({ n: count() }).from(documents).where(where)
  return { ids: rows.map((row) => row.id), count: total?.n ?? 0, any_word: false }
}

/**
 * Returns a page of the documents that contain all words. If no document contains all of several words, returns the documents
 * that contain any of them, with `any_word` true.
 */
async function searchIds(tx: Tx, query: DocumentsQuery, words: SearchWords) {
  const { project_id, order_by, limit } = query
  const offset = (query.page - 1) * limit
  // The search functions take the project as a parameter; all other conditions are filters.
  const project = project_id && project_id !== 'none' ? project_id : null
  const found = conditionsOf(query)
  const isFiltered = found.length > (project ? 1 : 0)
  const where = and(...found) ?? sql`true`
  const order = order_by ? orderOf(order_by) : null
  const withAll = () => {
    if (order) return sortedHits(tx, words, project, where, isFiltered, order, limit, offset)
    if (isFiltered) return rankedAmong(tx, words, project, where, limit, offset)
    return rankedIds(tx, words, project, limit, offset)
  }
  const all = await withAll()
  if (all.count > 0 || words.queries.length < 2) return { ...all, any_word: false }
  const page = { where: isFiltered ? where : null, order, limit, offset }
  return { ...(await idsOfAnyWord(tx, words, project, page)), any_word: true }
}

/**
 * Returns the ids of the first `limit` documents that match the query, in the requested order. The database joins the ids to
 * one text, because that is faster to parse than many rows.
 */
export async function listMatchingIds(
  tx: Tx,
  query: Omit<DocumentsQuery, 'page' | 'limit'>,
  limit: number,
): Promise<string[]> {
  const words = query.search ? searchWords(query.search) : null
  if (words) return (await searchIds(tx, { ...query, page: 1, limit }, words)).ids
  const order = orderOf(query.order_by ?? 'created_at.desc')
  const matches = tx
    .select({ id: documents.id, place: sql`row_number() over (order by ${order})`.as('place') })
    .from(documents)
    .where(and(...conditionsOf(query)))
    .orderBy(order)
    .limit(limit)
  const { rows } = await tx.execute<{ ids: string | null }>(
    sql`select string_agg(id::text, ',' order by place) as ids from (${matches}) as matches`,
  )
  return rows[0]?.ids?.split(',') ?? []
}

/**
 * Returns the title and the file name of each document, and whether it is retracted, by document id. Omits documents that the
 * caller may not read.
 */
export async function listTitles(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { title: string | null; filename: string; retracted: boolean }>> {
  const rows = await tx
    .select({
      id: documents.id,
      title: documents.title,
      filename: documents.filename,
      retracted: documents.retracted,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}
