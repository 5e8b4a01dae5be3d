import { z } from 'zod'
import { FEED_PAGE_SIZE } from '#shared/contract/address-values.ts'
import type { api } from '#shared/contract/paths.ts'

/** Search parameters of the article list. They are in the URL so that the list survives a reload and can be shared. */
export const feedSearch = z.object({
  search: z.string().optional().catch(undefined),
  journal: z.uuid().optional().catch(undefined),
  show: z.enum(['unread', 'starred']).optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
  /** With 'unread' and a page: the time of the list, so that this page begins after the one before it. */
  at: z.iso.datetime().optional().catch(undefined),
})
export type FeedSearch = z.infer<typeof feedSearch>

/** Returns the query parameters of GET /api/feed/articles for the list. */
export function articleParams(projectId: string, search: FeedSearch): Parameters<typeof api.feedArticles>[0] {
  const { search: words, journal, show, page, at } = search
  return {
    project_id: projectId,
    page: page ?? 1,
    limit: FEED_PAGE_SIZE,
    ...(words ? { search: words } : {}),
    ...(journal ? { journal_id: journal } : {}),
    ...(show === 'unread' ? { unread: 'true', ...(at ? { unread_at: at } : {}) } : {}),
    ...(show === 'starred' ? { starred: 'true' } : {}),
  }
}
