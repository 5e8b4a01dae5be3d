import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feedArticleMarks, feedArticles, feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'
import { type Authorized, mayIn } from '#server/members/index.ts'
import type { ArticleMarks, Subscription } from '#shared/contract/feeds.ts'
import type { Project } from '#shared/contract/projects.ts'

/** Returns the journals that a project follows, by name, with the state of their feeds. */
export async function listSubscriptionRows(tx: Tx, projectId: string): Promise<Subscription[]> {
  return tx
    .select({
      user_id: userRssSubscription.user_id,
      journal_id: userRssSubscription.journal_id,
      project_id: userRssSubscription.project_id,
      journal_name: journals.name,
      rss_feed_url: journals.rss_feed_url,
      article_count: sql<number>`coalesce(${feeds.article_count}, 0)`,
      last_fetched_at: feeds.last_fetched_at,
      last_error: feeds.last_error,
      next_fetch_at: feeds.next_fetch_at,
      may: mayIn(sql`${userRssSubscription}.project_id`),
    })
    .from(userRssSubscription)
    .innerJoin(journals, eq(journals.id, userRssSubscription.journal_id))
    .leftJoin(
      feeds,
      and(eq(feeds.url, journals.rss_feed_url), sql`${feeds.owner_id} is not distinct from ${journals.owner_id}`),
    )
    .where(eq(userRssSubscription.project_id, projectId))
    .orderBy(sql`lower(${journals.name})`, journals.id)
}

/** Adds a journal to a project. Returns false when the project follows it already. */
export async function insertSubscriptionRow(
  tx: Tx,
  project: Authorized<Pick<Project, 'id'>>,
  row: Pick<typeof userRssSubscription.$inferInsert, 'user_id' | 'journal_id'>,
): Promise<boolean> {
  const rows = await tx
    .insert(userRssSubscription)
    .values({ ...row, project_id: project.id })
    .onConflictDoNothing()
    .returning()
  return rows.length > 0
}

/** Removes a journal from a project. Returns false when the project does not follow it. */
export async function deleteSubscriptionRow(
  tx: Tx,
  project: Authorized<Pick<Project, 'id'>>,
  journalId: string,
): Promise<boolean> {
  const rows = await tx
    .delete(userRssSubscription)
    .where(and(eq(userRssSubscription.project_id, project.id), eq(userRssSubscription.journal_id, journalId)))
    .returning({ journal_id: userRssSubscription.journal_id })
  return rows.length > 0
}

/**
 * Returns the key under which the marks (read, starred) of an article are stored, or undefined when the article does not exist.
 */
export async function findMergeKey(tx: Tx, articleId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ key: feedArticles.merge_key })
    .from(feedArticles)
    .where(eq(feedArticles.id, articleId))
  return row?.key
}

/**
 * Stores the marks of a user on an article (read, starred). Copies of the article that have the same `mergeKey` share the
 * marks.
 */
export async function saveMarks(tx: Tx, userId: string, mergeKey: string, marks: ArticleMarks): Promise<void> {
  await tx
    .insert(feedArticleMarks)
    .values({ user_id: userId, merge_key: mergeKey, ...marks })
    .onConflictDoUpdate({
      target: [feedArticleMarks.user_id, feedArticleMarks.merge_key],
      set: { ...marks, updated_at: sql`now()` },
    })
}

/** Deletes the marks (read, starred) of a user on an article. */
export async function deleteMarks(tx: Tx, userId: string, mergeKey: string): Promise<void> {
  await tx
    .delete(feedArticleMarks)
    .where(and(eq(feedArticleMarks.user_id, userId), eq(feedArticleMarks.merge_key, mergeKey)))
}
