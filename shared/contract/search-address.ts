import { z } from 'zod'
import { LONGEST_SEARCH, SEARCH_KINDS, SEARCH_PAGE_SIZE, SEARCH_SCOPES } from './address-values.ts'

const list = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .optional()
  .catch(undefined)
const year = z.coerce.number().int().min(0).max(9999).optional().catch(undefined)

/** The parameters of the search page in its address, so that a search survives a reload and can be shared (LIB-02). */
export const passageSearch = z.object({
  q: z.string().max(LONGEST_SEARCH).optional().catch(undefined),
  kind: z.enum(SEARCH_KINDS).optional().catch(undefined),
  scope: z.enum(SEARCH_SCOPES).optional().catch(undefined),
  tag: list,
  from: year,
  to: year,
  evidence: list,
  type: list,
  file: z.enum(['true', 'false']).optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
})
export type PassageSearch = z.infer<typeof passageSearch>

/** Converts the parameters in the address of the search page to the parameters of GET /api/search. */
export const searchParams = (projectId: string, search: PassageSearch) => ({
  q: search.q?.trim() ?? '',
  project_id: projectId,
  scope: search.scope ?? 'project',
  kind: search.kind ?? 'passages',
  tag: search.tag ?? [],
  year_from: search.from,
  year_to: search.to,
  evidence_level: search.evidence ?? [],
  type: search.type ?? [],
  has_file: search.file,
  page: search.page ?? 1,
  limit: SEARCH_PAGE_SIZE,
})
