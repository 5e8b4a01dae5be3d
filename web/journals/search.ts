import { z } from 'zod'

/** Filters of the journals page in the address. */
export const journalsSearch = z.object({
  tab: z.enum(['journals', 'excluded']).optional().catch(undefined),
  search: z.string().optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
})
export type JournalsSearch = z.infer<typeof journalsSearch>

/** Toast for a failed search, here or at OpenAlex. */
export const SEARCH_FAILED = {
  title: 'Search Error',
  description: 'Failed to search for journals. Please try again.',
}
