import { z } from 'zod'
import { DOCUMENT_SORTS, DOCUMENTS_PAGE_SIZE, DOCUMENTS_PAGE_SIZES } from '#shared/contract/address-values.ts'
import type { DocumentFilters } from '#shared/contract/document-list.ts'
import type { api } from '#shared/contract/paths.ts'

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const list = oneOrMany.optional().catch(undefined)

/** Selectable statuses; `completed` includes `processed`. */
export const STATUS_CHOICES = [
  { value: 'pending', label: 'Pending' },
  { value: 'processing', label: 'Processing' },
  { value: 'completed', label: 'Completed' },
  { value: 'error', label: 'Error' },
] as const
type StatusChoice = (typeof STATUS_CHOICES)[number]['value']
const isChoice = (status: string): status is StatusChoice => STATUS_CHOICES.some(({ value }) => value === status)

/** Search parameters of the document list. They are in the URL so that the list survives a reload and can be shared. */
export const documentsSearch = z.object({
  search: z.string().optional().catch(undefined),
  // Unknown statuses are dropped, like all invalid values.
  status: oneOrMany
    .transform((given) => given.filter(isChoice))
    .refine((known) => known.length > 0)
    .optional()
    .catch(undefined),
  tag: list,
  evidence: list,
  page: z.coerce.number().int().min(2).optional().catch(undefined),
  limit: z.coerce
    .number()
    .refine((size) => (DOCUMENTS_PAGE_SIZES as readonly number[]).includes(size))
    .optional()
    .catch(undefined),
  sort: z
    .string()
    .regex(new RegExp(`^(${DOCUMENT_SORTS.join('|')})\\.(asc|desc)$`))
    .optional()
    .catch(undefined),
})
export type DocumentsSearch = z.infer<typeof documentsSearch>

export const DEFAULT_SORT = 'created_at.desc'

/** Returns the query parameters of GET /api/documents for the list. */
export const listParams = (projectId: string, search: DocumentsSearch) =>
  ({
    project_id: projectId,
    status: search.status ?? [],
    keyword: search.tag ?? [],
    evidence_level: search.evidence ?? [],
    search: search.search?.trim() ?? '',
    page: search.page ?? 1,
    limit: search.limit ?? DOCUMENTS_PAGE_SIZE,
    // A search sorts by relevance, unless the user sorts by a column.
    ...(search.sort || !search.search?.trim() ? { order_by: search.sort ?? DEFAULT_SORT } : {}),
  }) satisfies Parameters<typeof api.documents>[0]

/**
 * Converts the search parameters of the documents list to the filter of an export: the same documents in the same order, but of
 * all pages of the list.
 */
export function exportFilter(search: DocumentsSearch) {
  const { project_id: _project, page: _page, limit: _limit, ...filter } = listParams('', search)
  return filter
}

/**
 * Returns true if the user changed only the words of a search. Such a change replaces the entry of the browser history, so that
 * each search has one entry. Every other change (filter, sorting, page, a new or cleared search) adds an entry.
 */
export function typesOn(before: DocumentsSearch, after: DocumentsSearch): boolean {
  const rest = (search: DocumentsSearch) => JSON.stringify(documentsSearch.parse({ ...search, search: undefined }))
  return Boolean(before.search && after.search) && rest(before) === rest(after)
}

/** Number of selected statuses and evidence levels, shown on the Filter button. */
export const filterCount = (search: DocumentsSearch) => (search.status?.length ?? 0) + (search.evidence?.length ?? 0)

/** Returns true if any filter is set. */
export const isFiltered = (search: DocumentsSearch) => filterCount(search) + (search.tag?.length ?? 0) > 0

/**
 * Returns the tags in the tag filter, each once. A tag that differs from a tag of the project only in case is spelled as in the
 * project.
 */
export const chosenTags = (search: DocumentsSearch, filters: DocumentFilters | undefined): string[] =>
  inShownCase(search.tag ?? [], filters?.tags.map(({ name }) => name) ?? [])

/**
 * Returns the keywords `words` without repetitions. A keyword that differs from one of `shown` only in case gets the spelling
 * of `shown`. Each character is converted to lower case alone, as PostgreSQL does, because JavaScript converts a Σ at the end
 * of a word differently.
 */
export function inShownCase(words: readonly string[], shown: readonly string[]): string[] {
  const key = (word: string) => Array.from(word, (character) => character.toLowerCase()).join('')
  const spellings = new Map(shown.map((word) => [key(word), word]))
  for (const word of words) if (!spellings.has(key(word))) spellings.set(key(word), word)
  return [...new Set(words.map((word) => spellings.get(key(word)) ?? word))]
}
