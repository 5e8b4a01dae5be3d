import { z } from 'zod'
import { FEED_PAGE_SIZE } from '#shared/feeds.ts'
import type { api } from '#shared/paths.ts'

/** What of the feed stands in the address: it survives a reload and can be sent to somebody. */
export const feedSearch = z.object({
  search: z.string().optional().catch(undefined),
  journal: z.uuid().optional().catch(undefined),
  show: z.enum(['unread', 'starred']).optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
})
export type FeedSearch = z.infer<typeof feedSearch>

/** The parameters of GET /api/feed/articles for what the address says. */
export function articleParams(projectId: string, search: FeedSearch): Parameters<typeof api.feedArticles>[0] {
  const { search: words, journal, show, page } = search
  return {
    project_id: projectId,
    page: page ?? 1,
    limit: FEED_PAGE_SIZE,
    ...(words ? { search: words } : {}),
    ...(journal ? { journal_id: journal } : {}),
    ...(show === 'unread' ? { unread: 'true' } : {}),
    ...(show === 'starred' ? { starred: 'true' } : {}),
  }
}
