import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { findJournal } from '#server/journals/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject, projectOrThrow } from '#server/projects/index.ts'
import type { ArticleMarks, FeedArticlesQuery, FeedTried, Subscription } from '#shared/contract/feeds.ts'
import { listArticleRows } from './article-queries.ts'
import {
  deleteMarks,
  deleteSubscriptionRow,
  findMergeKeys,
  insertSubscriptionRow,
  listSubscriptionRows,
  saveMarks,
} from './queries.ts'
import { readDueFeeds, readFeedNow } from './refresh.ts'
import { ensureFeedRow, ensureFollowedFeeds } from './refresh-queries.ts'

const NO_FEED = 'This journal has no feed.'

/**
 * Returns one page of the articles of the journals that a project of the caller follows, and `count`, the exact number of
 * articles on all pages.
 */
export const listArticles = (actor: Actor, query: FeedArticlesQuery) =>
  asActor(actor, async (tx) => {
    await checkProject(tx, query.project_id, 'read')
    return listArticleRows(tx, actor.userId, query)
  })

/** Returns the journals that the caller's project follows, with the state of each feed. */
export const listSubscriptions = (actor: Actor, projectId: string): Promise<Subscription[]> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'read')
    return listSubscriptionRows(tx, projectId)
  })

/**
 * Subscribes the caller's project to a journal, and starts a read of the feed if it was never read. Has no effect if the
 * project follows the journal already.
 */
export async function subscribe(
  actor: Actor,
  { journal_id, project_id }: { journal_id: string; project_id: string },
): Promise<Subscription> {
  const feed = await asActor(actor, async (tx) => {
    const project = await projectOrThrow(tx, project_id, 'edit')
    const found = await feedOf(tx, actor, journal_id)
    if (await insertSubscriptionRow(tx, project, { user_id: actor.userId, journal_id }))
      await publishFeed(tx, actor, project_id, [journal_id])
    return found
  })
  // Only the server writes rows of feeds: users can read them, but not make them due.
  await asSystem((tx) => ensureFeedRow(tx, feed.url, feed.ownerId))
  readDueFeeds()
  const found = (await listSubscriptions(actor, project_id)).find((row) => row.journal_id === journal_id)
  if (!found) throw notFound('Subscription')
  return found
}

/**
 * Reads the feed of a followed journal now and returns its state. Throws 'not_found' if the project does not follow the
 * journal. Throws 'too_many' if a user started a read of the feed less than a minute ago, or if the feed's site asked to send
 * no requests for some time.
 */
export async function tryFeed(actor: Actor, key: { journal_id: string; project_id: string }): Promise<FeedTried> {
  await asActor(actor, (tx) => checkProject(tx, key.project_id, 'edit'))
  const followed = (await listSubscriptions(actor, key.project_id)).find((row) => row.journal_id === key.journal_id)
  if (!followed) throw notFound('Subscription')
  const feed = await asActor(actor, (tx) => feedOf(tx, actor, key.journal_id))
  return readFeedNow(await asSystem((tx) => ensureFeedRow(tx, feed.url, feed.ownerId)))
}

/**
 * Returns the feed address of a journal that the caller can read, and the owner if the journal is personal. Throws 'not_found',
 * or 'refused' for a journal without a feed.
 */
async function feedOf(tx: Tx, actor: Actor, journalId: string): Promise<{ url: string; ownerId: string | null }> {
  const journal = await findJournal(tx, journalId)
  if (!journal) throw notFound('Journal')
  if (!journal.rss_feed_url) throw new AppError('refused', NO_FEED)
  return { url: journal.rss_feed_url, ownerId: journal.personal ? actor.userId : null }
}

/** Subscribes a project to several journals. Returns how many it did not follow before. */
export async function subscribeAll(actor: Actor, projectId: string, journalIds: readonly string[]): Promise<number> {
  const added = await asActor(actor, async (tx) => {
    const project = await projectOrThrow(tx, projectId, 'edit')
    const inserted: string[] = []
    for (const journal_id of new Set(journalIds))
      if (await insertSubscriptionRow(tx, project, { user_id: actor.userId, journal_id })) inserted.push(journal_id)
    await publishFeed(tx, actor, projectId, inserted)
    return inserted.length
  })
  await asSystem(ensureFollowedFeeds)
  readDueFeeds()
  return added
}

/** Ends a subscription of the caller's project. */
export async function unsubscribe(actor: Actor, projectId: string, journalId: string): Promise<void> {
  await asActor(actor, async (tx) => {
    const project = await projectOrThrow(tx, projectId, 'edit')
    if (!(await deleteSubscriptionRow(tx, project, journalId))) throw notFound('Subscription')
    await publishFeed(tx, actor, projectId, [journalId])
  })
}

/**
 * Publishes that the followed journals of a project changed: to all members, or only to the caller if all of the changed
 * journals are personal.
 */
async function publishFeed(tx: Tx, actor: Actor, projectId: string, journalIds: readonly string[]): Promise<void> {
  let isShared = false
  for (const id of journalIds) isShared ||= (await findJournal(tx, id))?.personal === false
  if (journalIds.length === 0) return
  await publish(tx, isShared ? { projectId } : { userId: actor.userId }, {
    event: 'project',
    data: { id: projectId, change: 'updated', part: 'feed', by: actor.userId },
  })
}

/**
 * Sets or clears the caller's marks (read, starred) of an article. The marks apply in all projects of the caller. A mark that
 * is missing in `marks` stays unchanged. Throws 'not_found' for an unknown article.
 */
export const markArticle = (actor: Actor, id: string, marks: ArticleMarks): Promise<ArticleMarks> =>
  asActor(actor, async (tx) => {
    await saveMarks(tx, actor.userId, await keysOf(tx, id), marks)
    return marks
  })

/** Removes the caller's marks (read, starred) from an article. */
export const unmarkArticle = (actor: Actor, id: string): Promise<void> =>
  asActor(actor, async (tx) => deleteMarks(tx, actor.userId, await keysOf(tx, id)))

async function keysOf(tx: Tx, id: string): Promise<string[]> {
  const keys = await findMergeKeys(tx, id)
  if (keys.length === 0) throw notFound('Article')
  return keys
}
