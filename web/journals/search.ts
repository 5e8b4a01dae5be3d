import { z } from 'zod'

/** Search parameters of the journals page: tab, search text and page number. */
export const journalsSearch = z.object({
  tab: z.enum(['journals', 'excluded']).optional().catch(undefined),
  search: z.string().optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
})
export type JournalsSearch = z.infer<typeof journalsSearch>

/** The toast for a failed search in the catalog or at OpenAlex. */
export const SEARCH_FAILED = {
  title: 'Search Error',
  description: 'Failed to search for journals. Please try again.',
}
