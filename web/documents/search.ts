import { z } from 'zod'
import { DOCUMENTS_PAGE_SIZE, DOCUMENTS_PAGE_SIZES } from '#shared/documents.ts'
import type { api } from '#shared/paths.ts'

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const list = oneOrMany.optional().catch(undefined)

/** The statuses to choose from; `completed` also stands for `processed`. */
export const STATUS_CHOICES = [
  { value: 'pending', label: 'Pending' },
  { value: 'processing', label: 'Processing' },
  { value: 'completed', label: 'Completed' },
  { value: 'error', label: 'Error' },
] as const
const isChoice = (status: string) => STATUS_CHOICES.some(({ value }) => value === status)

/** What of the documents list stands in the address: it survives a reload and can be sent to somebody. */
export const documentsSearch = z.object({
  search: z.string().optional().catch(undefined),
  // What is no status is left out, as everything else that cannot be read is.
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
    .regex(/^(title|journal_name|doi_link|semantic_paperid|status|created_at)\.(asc|desc)$/)
    .optional()
    .catch(undefined),
})
export type DocumentsSearch = z.infer<typeof documentsSearch>

export const DEFAULT_SORT = 'created_at.desc'

/** The parameters of GET /api/documents for what the address says. */
export function listParams(
  projectId: string,
  search: DocumentsSearch,
): NonNullable<Parameters<typeof api.documents>[0]> {
  return {
    project_id: projectId,
    status: search.status?.flatMap((one) => (one === 'completed' ? ['completed', 'processed'] : [one])) ?? [],
    keyword: search.tag ?? [],
    evidence_level: search.evidence ?? [],
    search: search.search?.trim() ?? '',
    page: search.page ?? 1,
    limit: search.limit ?? DOCUMENTS_PAGE_SIZE,
    // Under a search the best match comes first, until somebody sorts by a column.
    ...(search.sort || !search.search?.trim() ? { order_by: search.sort ?? DEFAULT_SORT } : {}),
  }
}

/**
 * Whether the address changes by typing on in a search alone: that replaces the entry in the browser's history, one for each
 * search. Every other change (a filter, a sort, a page, a search begun or taken away) is an entry of its own for Back.
 */
export function typesOn(before: DocumentsSearch, after: DocumentsSearch): boolean {
  const rest = (search: DocumentsSearch) => JSON.stringify(documentsSearch.parse({ ...search, search: undefined }))
  return Boolean(before.search && after.search) && rest(before) === rest(after)
}

/** How many statuses and evidence levels are chosen: the number on the Filter button. */
export const filterCount = (search: DocumentsSearch) => (search.status?.length ?? 0) + (search.evidence?.length ?? 0)

/** The list with `value` put in or taken out; undefined when nothing is left. */
export function toggled(values: readonly string[] | undefined, value: string): string[] | undefined {
  const without = (values ?? []).filter((one) => one !== value)
  const next = without.length === (values?.length ?? 0) ? [...without, value] : without
  return next.length > 0 ? next : undefined
}
