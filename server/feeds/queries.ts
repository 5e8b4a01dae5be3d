import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feedArticleMarks, feedArticles, feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'
import { type Authorized, mayIn } from '#server/members/index.ts'
import type { ArticleMarks, Subscription } from '#shared/contract/feeds.ts'
import type { Project } from '#shared/contract/projects.ts'
import { IS_COPY_BY_LINK } from './copy-queries.ts'

/** Returns the journals that a project follows, sorted by name, with the states of their feeds. */
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
 * Returns the keys under which the marks (read, starred) of an article and its copies are stored. There are two keys if only
 * some of the copies have a DOI, otherwise one. Returns an empty list if the article does not exist.
 */
export async function findMergeKeys(tx: Tx, articleId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ merge_key: string }>(sql`
    select own.merge_key from ${feedArticles} own where own.id = ${articleId}::uuid union
    select other.merge_key from ${feedArticles} own join ${feedArticles} other on ${IS_COPY_BY_LINK}
    where own.id = ${articleId}::uuid order by merge_key`)
  return rows.map((row) => row.merge_key)
}

/** Stores the marks of a user on an article (read, starred) under all its keys (`findMergeKeys`). */
export async function saveMarks(tx: Tx, userId: string, keys: readonly string[], marks: ArticleMarks): Promise<void> {
  await tx
    .insert(feedArticleMarks)
    .values(keys.map((merge_key) => ({ user_id: userId, merge_key, ...marks })))
    .onConflictDoUpdate({
      target: [feedArticleMarks.user_id, feedArticleMarks.merge_key],
      set: { ...marks, updated_at: sql`now()` },
    })
}

/** Deletes the marks (read, starred) of a user on an article under all its keys (`findMergeKeys`). */
export async function deleteMarks(tx: Tx, userId: string, keys: readonly string[]): Promise<void> {
  await tx
    .delete(feedArticleMarks)
    .where(and(eq(feedArticleMarks.user_id, userId), inArray(feedArticleMarks.merge_key, [...keys])))
}
