import { sql, type SQL } from 'drizzle-orm'
import { UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'
import type { LibrarySearchQuery, SearchFilter } from '#shared/contract/library-search.ts'
import type { SearchCondition } from '#shared/contract/search-query.ts'
import { expressionOf } from './phrase-expression.ts'

/** Returns an SQL array of texts. */
const texts = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`
/** Matches combining marks, such as accents, in a text in the Unicode form NFKD. */
const ACCENTS = '[\u0300-\u036F]'

/** Composes the other marks again: Japanese letters, for example, have marks that belong to them. */
const withoutAccents = (text: string) => text.normalize('NFKD').replace(new RegExp(ACCENTS, 'gu'), '').normalize('NFC')

/**
 * Returns the SQL condition that the words of `phrase` are in a text in order, without regard to case and accents. `end`: how
 * the last word can continue, as in expressionOf.
 */
const hasWords = (text: SQL, phrase: string, end: 'plural' | 'any'): SQL =>
  sql`normalize(regexp_replace(normalize(${text}, NFKD), ${ACCENTS}, '', 'g'), NFC) ~* ${expressionOf(withoutAccents(phrase), end)}`

/**
 * Returns the SQL condition that a document `d` has at least one of the tags, in upper or lower case. Only the database changes
 * the case: JavaScript and PostgreSQL write Σ and İ differently in lower case.
 */
export const withTags = (tags: readonly string[]) =>
  sql`exists (select 1 from unnest(d.keywords) k where lower(k) in (select lower(t) from unnest(${texts(tags)}) t))`

const inYears = (from: number | null | undefined, to: number | null | undefined) =>
  sql`d.ref_year between ${from ?? 0} and ${to ?? 9999}`

/** For each search filter, a function that returns its SQL condition on a document `d`; undefined if the filter is not set. */
export const FILTERS: Record<Exclude<SearchFilter, 'query'>, (query: LibrarySearchQuery) => SQL | undefined> = {
  tag: ({ tag }) => (tag.length > 0 ? withTags(tag) : undefined),
  year: ({ year_from, year_to }) =>
    year_from === undefined && year_to === undefined ? undefined : inYears(year_from, year_to),
  evidence_level: ({ evidence_level: levels }) =>
    levels.length > 0
      ? sql`coalesce(nullif(d.evidence_level, ''), ${UNKNOWN_EVIDENCE_LEVEL}) = any(${texts(levels)})`
      : undefined,
  type: ({ type }) => (type.length > 0 ? sql`d.ref_type = any(${texts(type)})` : undefined),
  has_file: ({ has_file }) =>
    has_file === undefined
      ? undefined
      : has_file === 'true'
        ? sql`d.source_url is not null`
        : sql`d.source_url is null`,
}

/**
 * Returns the SQL condition on a document `d` for all filters and prefix conditions (such as 'author:') of a search; null if
 * there are none. The document must match at least one alternative of each group, and no condition in `excluded`.
 */
export function documentFilter(
  query: LibrarySearchQuery,
  groups: readonly (readonly SearchCondition[])[],
  excluded: readonly SearchCondition[],
): SQL | null {
  const conditions = [
    ...Object.values(FILTERS).map((condition) => condition(query)),
    query.document_id ? sql`d.id = ${query.document_id}::uuid` : undefined,
    query.added_after ? sql`d.created_at > ${query.added_after}::timestamptz` : undefined,
    ...groups.map((group) => sql`(${sql.join(group.map(fieldCondition), sql` or `)})`),
    ...excluded.map((one) => sql`(${fieldCondition(one)}) is not true`),
  ].filter((one) => one !== undefined)
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : null
}

/** Returns the SQL query of the ids of the documents that match a prefix condition (such as 'author:'), for use after `in`. */
export const documentsOfField = (condition: SearchCondition): SQL =>
  sql`select d.id from documents d where ${fieldCondition(condition)}`

/**
 * Returns the SQL condition on a document `d` for a prefix condition (such as 'author:'); always false for words and phrases.
 */
function fieldCondition(condition: SearchCondition): SQL {
  switch (condition.kind) {
    case 'word':
    case 'phrase':
      return sql`false`
    case 'year':
      return inYears(condition.from, condition.to)
    case 'tag':
      return withTags([condition.text])
    case 'title':
      return hasWords(sql`d.title`, condition.text, 'plural')
    case 'journal':
      return hasWords(sql`d.journal_name`, condition.text, 'any')
    case 'author':
      return sql`exists (select 1 from unnest(d.authors) a where ${hasWords(sql`a`, condition.text, 'any')})`
  }
}
