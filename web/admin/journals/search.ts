import { z } from 'zod'

/** What of the page of journals stands in the address. */
export const journalsSearch = z.object({
  tab: z.enum(['journals', 'excluded']).optional().catch(undefined),
  search: z.string().optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
})
export type JournalsSearch = z.infer<typeof journalsSearch>

/** Said when a search for journals fails, here or at OpenAlex. */
export const SEARCH_FAILED = {
  title: 'Search Error',
  description: 'Failed to search for journals. Please try again.',
}
