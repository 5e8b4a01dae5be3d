import { z } from 'zod'
import { FEED_PAGE_SIZE } from './address-values.ts'
import { instant } from './calendar-day.ts'
import { projectRight } from './roles.ts'

export const NO_TITLE = 'No title'
export const NO_LINK = '#'
/** Error when a feed cannot be read. */
export const FEED_FAILED = 'Failed to fetch RSS feed. Please check the URL and try again.'

/**
 * An article in the list in which the articles of all followed feeds are merged. If the feed gives no date, `dated` is false
 * and `pubDate` is the time when the article was first read. `document_id` is the project's document of the article, or null.
 */
export const feedArticle = z.object({
  id: z.uuid(),
  title: z.string(),
  link: z.string(),
  pubDate: z.string(),
  description: z.string(),
  journalId: z.uuid(),
  journal_name: z.string(),
  doi: z.string().nullable(),
  dated: z.boolean(),
  document_id: z.uuid().nullable(),
  read: z.boolean(),
  starred: z.boolean(),
  retracted: z.boolean().describe('its title says so, or a document of the person with its DOI is marked so'),
  also_in: z
    .array(z.object({ journal_name: z.string(), link: z.string() }))
    .describe('copies of the article in other feeds that the project follows'),
})
export type FeedArticle = z.infer<typeof feedArticle>

/**
 * A page of the list in which the articles of all followed feeds are merged. A list of unread articles has those that were
 * unread at the time `unread_at`. Send the `unread_at` of the first page with the requests for the other pages: an article that
 * is read in the meantime then stays in the list.
 */
export const feedArticlePage = z.object({
  data: z.array(feedArticle),
  count: z.number().int(),
  unread_at: z.string().describe('the time of the list, for which `unread` applies'),
})
export type FeedArticlePage = z.infer<typeof feedArticlePage>

/** Returns whether a title says that the paper was retracted, as publishers write it: 'RETRACTED ARTICLE: …'. */
export const saysRetracted = (title: string): boolean =>
  /^\s*(?:\[retracted(?: article)?\]|retracted(?: article| paper)?\s*[:\u2013\u2014-])/i.test(title)

const yes = z.enum(['true', 'false']).optional()

export const feedArticlesQuery = z.object({
  project_id: z.uuid('Project not found'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(FEED_PAGE_SIZE),
  journal_id: z.uuid().optional(),
  search: z.string().trim().max(200).default(''),
  starred: yes,
  unread: yes,
  unread_at: instant
    .optional()
    .describe('ignores later changes of `read`, so that the pages of a list stay the same; default: now'),
})
export type FeedArticlesQuery = z.output<typeof feedArticlesQuery>

/** The flags 'read' and 'starred' of an article for the caller. A flag that is missing in a request stays unchanged. */
export const articleMarks = z.object({ read: z.boolean().optional(), starred: z.boolean().optional() })
export type ArticleMarks = z.infer<typeof articleMarks>

/** A journal that a project follows, with the state of its feed. */
export const subscription = z.object({
  user_id: z.string().nullable().describe('the member who added the journal; null after the account is deleted'),
  journal_id: z.uuid(),
  project_id: z.uuid(),
  journal_name: z.string(),
  rss_feed_url: z.string().nullable(),
  article_count: z.number().int(),
  last_fetched_at: z.string().nullable(),
  last_error: z.string().nullable(),
  next_fetch_at: z.string().nullable(),
  may: z.array(projectRight).describe('the rights of the caller in the project'),
})
export type Subscription = z.infer<typeof subscription>

/** State of a feed after a manual refresh. `last_error` is null on success. */
export const feedTried = subscription.pick({
  article_count: true,
  last_error: true,
  last_fetched_at: true,
  next_fetch_at: true,
})
export type FeedTried = z.infer<typeof feedTried>

export const subscriptionKey = z.object({
  journal_id: z.uuid('Journal not found'),
  project_id: z.uuid('Project not found'),
})

/** Result of the import of an OPML file, which contains a list of feeds. */
export const opmlResult = z.object({
  subscribed: z.number().int(),
  added: z.number().int(),
  refused: z.array(z.object({ address: z.string(), reason: z.string() })),
})
export type OpmlResult = z.infer<typeof opmlResult>

/**
 * Returns the page numbers of the pagination, from 1: the first, the last, the current page and its neighbors. Null means an
 * ellipsis. A gap of one page is filled with that page.
 */
export function pageWindow(page: number, pageCount: number): (number | null)[] {
  const shown = [1, page - 1, page, page + 1, pageCount].filter((one) => one >= 1 && one <= pageCount)
  const out: (number | null)[] = []
  for (const one of [...new Set(shown)].sort((a, b) => a - b)) {
    const before = out.at(-1) ?? 0
    if (one - before === 2) out.push(one - 1)
    else if (one - before > 2) out.push(null)
    out.push(one)
  }
  return out
}

/** An article in the preview of a journal's feed. */
export const previewArticle = z.object({
  title: z.string(),
  link: z.string(),
  pubDate: z.string().nullable(),
  description: z.string(),
})
export type PreviewArticle = z.infer<typeof previewArticle>
export const PREVIEW_ARTICLES = 5
