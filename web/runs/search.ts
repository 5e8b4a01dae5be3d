import { z } from 'zod'
import { RUN_KINDS } from '#shared/contract/address-values.ts'

/** Search parameters of the list of runs (recorded analyses or answers): filters and page number. */
export const runsSearch = z.object({
  kind: z.enum(RUN_KINDS).optional().catch(undefined),
  person: z.string().optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
})
export type RunsSearch = z.infer<typeof runsSearch>

export const COMPARED_TABS = ['different', 'changed', 'only', 'quotes', 'equal'] as const

/** Search parameters of the comparison: the ids of both runs (recorded analyses or answers) and the selected tab. */
export const comparisonSearch = z.object({
  one: z.string().catch(''),
  other: z.string().catch(''),
  show: z.enum(COMPARED_TABS).optional().catch(undefined),
})
export type ComparisonSearch = z.infer<typeof comparisonSearch>
