import { z } from 'zod'
import { LONGEST_SEARCH, SEARCH_KINDS, SEARCH_PAGE_SIZE, SEARCH_SCOPES } from './address-values.ts'
import { instant } from './calendar-day.ts'
import { documentFilters } from './document-list.ts'
import { evidence } from './evidence.ts'

export type SearchScope = (typeof SEARCH_SCOPES)[number]
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Maximum number of passages of one paper in a list; 'n more in this paper' shows the others. */
export const PASSAGES_OF_PAPER = 3
/** Results are counted exactly up to this number. A higher count is returned as 'at least 1,000'. */
export const MOST_COUNTED = 1000

/** A query parameter that may be missing or repeated. */
const repeated = z
  .union([
    z.array(z.string().max(500)),
    z
      .string()
      .max(500)
      .transform((value) => [value]),
  ])
  .default([])
const year = z.coerce.number().int().min(0).max(9999).optional()

/** Query parameters of GET /api/search. */
export const librarySearchQuery = z.object({
  q: z.string().trim().max(LONGEST_SEARCH).default('').describe('required: an empty search is refused'),
  project_id: z.uuid().optional(),
  scope: z.enum(SEARCH_SCOPES).optional().describe('default: the project of project_id, else all'),
  kind: z.enum(SEARCH_KINDS).default('passages'),
  tag: repeated,
  year_from: year,
  year_to: year,
  evidence_level: repeated,
  type: repeated.describe('types of CSL, for example article-journal'),
  has_file: z.enum(['true', 'false']).optional(),
  document_id: z.uuid().optional().describe('the passages of one paper'),
  more_of: z
    .uuid()
    .optional()
    .describe('the passages of this paper that the list leaves out: as many as `more` of its last listed passage'),
  meaning: z
    .enum(['true', 'false'])
    .optional()
    .describe('false: compares words only, without an embedding of the search'),
  added_after: instant.optional().describe('papers that were added after this time'),
  page: z.coerce.number().int().min(1).max(1000).default(1),
  limit: z.coerce.number().int().min(1).max(50).default(SEARCH_PAGE_SIZE),
})
export type LibrarySearchQuery = z.infer<typeof librarySearchQuery>

/** The papers that a search covers: query parameters of GET /api/search/filters and GET /api/search/not-vectorized. */
export const searchScopeQuery = librarySearchQuery.pick({ project_id: true, scope: true })
export type SearchScopeQuery = z.infer<typeof searchScopeQuery>

/**
 * The response of GET /api/search/filters: the values by which a search can be filtered, with the number of papers of each in
 * the scope of the search. The most frequent type comes first.
 */
export const searchFilters = documentFilters.omit({ statuses: true }).extend({
  types: z
    .array(z.object({ type: z.string(), document_count: z.number().int() }))
    .describe('types of CSL, for example article-journal'),
})
export type SearchFilters = z.infer<typeof searchFilters>

/** The response of GET /api/search/not-vectorized. */
export const notVectorized = z.object({
  data: z
    .array(z.uuid())
    .describe(
      'the newest papers that are not found by meaning yet and that the caller may edit, as many as a bulk run accepts',
    ),
  count: z.number().int(),
  vectorized: z.number().int().describe('papers of the scope that are found by meaning'),
  with_text: z.number().int().describe('papers of the scope that have a text or an abstract'),
  retracted: z.number().int().describe('retracted papers of the scope'),
})
export type NotVectorized = z.infer<typeof notVectorized>

/**
 * The filters of a search. If a search finds nothing, its response states for each filter in use how many results there are
 * without this filter. `query`: the conditions in the search itself, such as a phrase or `year:`.
 */
export const SEARCH_FILTERS = ['tag', 'year', 'evidence_level', 'type', 'has_file', 'query'] as const
export type SearchFilter = (typeof SEARCH_FILTERS)[number]

const span = z.tuple([z.number().int(), z.number().int()])

/** A passage or paper that matches a search. Spans count UTF-16 units of `content`. */
export const searchHit = z.object({
  document_id: z.uuid(),
  project_id: z.uuid().nullable(),
  project_address: z.string().nullable(),
  title: z.string().nullable(),
  filename: z.string(),
  authors: z.array(z.string()),
  authors_short: z.string(),
  year: z.number().int().nullable(),
  journal: z.string().nullable(),
  evidence_level: z.string().nullable(),
  retracted: z.boolean(),
  has_file: z.boolean(),
  page: z
    .number()
    .int()
    .nullable()
    .describe('null: the passage is the title and the abstract of a paper without a text'),
  section: z.string().nullable(),
  content: z.string(),
  marks: z.array(span).describe('the words of the search'),
  best: span.describe('the best sentence'),
  best_sentence: z.string(),
  evidence: evidence.nullable().describe('the best sentence in the text of its page; null without a text'),
  start: z.number().int().nullable().describe('the position of `content` in the text of its page'),
  text_version: z.number().int(),
  score: z.number().describe('comparable within one search only'),
  matched: z.enum(['words', 'meaning', 'both']),
  more: z.number().int().describe('further passages of the paper'),
})
export type SearchHit = z.infer<typeof searchHit>

/** The number of results. The form `at_least` means that there are more than 1,000 results. */
export const searchCount = z.union([z.number().int(), z.object({ at_least: z.literal(MOST_COUNTED) })])
export type SearchCount = z.infer<typeof searchCount>

/** Reasons why passages are found by words only, without the index by meaning. */
export const WORDS_ONLY = ['language', 'model', 'index', 'unavailable', 'budget', 'limit', 'key'] as const

/** The response of GET /api/search. */
export const librarySearch = z.object({
  data: z.array(searchHit),
  count: searchCount,
  counts: z.object({ passages: searchCount, papers: searchCount }).describe('`count` of both kinds'),
  listed: z.number().int().describe('the rows of all pages: at most three passages of a paper'),
  not_vectorized: z.number().int().describe('papers in the scope that are not found by meaning yet'),
  words_only: z
    .enum(WORDS_ONLY)
    .nullable()
    .describe(
      "the reason why passages were found by words only: the language of the search, no model, its index is not built, the provider does not answer, a budget or the number of requests is used up, or the API key lacks the scope 'ask'",
    ),
  without: z
    .array(z.object({ filter: z.enum(SEARCH_FILTERS), count: searchCount }))
    .describe('for an empty list: the number of results without each filter, most first'),
})
export type LibrarySearch = z.infer<typeof librarySearch>

/** For each reason in WORDS_ONLY, the note that screens show: why the search found passages by their words only. */
export const WORDS_ONLY_NOTES: Record<NonNullable<LibrarySearch['words_only']>, string> = {
  language: 'Found by words only: the built-in model understands English.',
  model: 'Found by words only: this server has no sentence model.',
  index: 'Found by words only: the index by meaning is not built yet.',
  unavailable: 'Found by words only: the embedding model does not answer.',
  budget: 'Found by words only: the AI budget is used up.',
  limit: 'Found by words only: too many requests to the embedding model. Please try again in a minute.',
  key: "Found by words only: the API key lacks the scope 'ask'.",
}
