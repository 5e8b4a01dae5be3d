import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feedArticleMarks, feedArticles, feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'
import type { ArticleMarks, FeedArticle, FeedArticlesQuery, Subscription } from '#shared/feeds.ts'

/** The journals that a project follows, by name, with how their feeds do. */
export async function listSubscriptionRows(tx: Tx, projectId: string): Promise<Subscription[]> {
  return tx
    .select({
      user_id: userRssSubscription.user_id,
      journal_id: userRssSubscription.journal_id,
      project_id: userRssSubscription.project_id,
      journal_name: journals.name,
      rss_feed_url: journals.rss_feed_url,
      article_count: sql<number>`(select count(*)::int from ${feedArticles} where ${feedArticles}.feed_id = ${feeds}.id)`,
      last_fetched_at: feeds.last_fetched_at,
      last_error: feeds.last_error,
      next_fetch_at: feeds.next_fetch_at,
    })
    .from(userRssSubscription)
    .innerJoin(journals, eq(journals.id, userRssSubscription.journal_id))
    .leftJoin(feeds, eq(feeds.url, journals.rss_feed_url))
    .where(eq(userRssSubscription.project_id, projectId))
    .orderBy(sql`lower(${journals.name})`, journals.id)
}

export async function insertSubscriptionRow(tx: Tx, row: typeof userRssSubscription.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(userRssSubscription).values(row).onConflictDoNothing().returning()
  return rows.length > 0
}

export async function deleteSubscriptionRow(tx: Tx, projectId: string, journalId: string): Promise<boolean> {
  const rows = await tx
    .delete(userRssSubscription)
    .where(and(eq(userRssSubscription.project_id, projectId), eq(userRssSubscription.journal_id, journalId)))
    .returning({ journal_id: userRssSubscription.journal_id })
  return rows.length > 0
}

/** The feeds of a project, one journal for each: two journals may share an address. */
const followed = (query: FeedArticlesQuery) => sql`followed as (
  select distinct on (${feeds.id}) ${feeds.id} as feed_id, ${journals.id} as journal_id, ${journals.name} as journal_name
  from ${userRssSubscription}
  join ${journals} on ${journals.id} = ${userRssSubscription.journal_id}
  join ${feeds} on ${feeds.url} = ${journals.rss_feed_url}
  where ${userRssSubscription.project_id} = ${query.project_id}
  ${query.journal_id ? sql`and ${journals.id} = ${query.journal_id}` : sql``}
  order by ${feeds.id}, ${journals.name}
)`

const readMark = sql`coalesce(marks.read, false)`
const starMark = sql`coalesce(marks.starred, false)`

function conditions({ search, starred, unread }: FeedArticlesQuery): SQL {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const parts = [sql`true`]
  if (search) parts.push(sql`(a.title ilike ${pattern} or a.description ilike ${pattern})`)
  if (starred) parts.push(sql`${starMark} = ${starred === 'true'}`)
  if (unread) parts.push(sql`${readMark} = ${unread === 'false'}`)
  return sql.join(parts, sql` and `)
}

/** One page of the merged list, newest first: an article that several feeds carry stands there once, as it came first. */
export async function listArticleRows(tx: Tx, userId: string, query: FeedArticlesQuery) {
  const source = sql`from ${feedArticles} a join followed on followed.feed_id = a.feed_id
    left join ${feedArticleMarks} marks on marks.merge_key = a.merge_key and marks.user_id = ${userId}
    where ${conditions(query)}`
  const { rows } = await tx.execute<Omit<FeedArticle, 'pubDate'> & { published_at: string }>(sql`
    with ${followed(query)},
    once as (
      select distinct on (a.merge_key) a.id, a.published_at, followed.journal_id, followed.journal_name,
        ${readMark} as read, ${starMark} as starred
      ${source} order by a.merge_key, a.published_at, a.id
    ),
    shown as (
      select * from once order by published_at desc, id limit ${query.limit} offset ${(query.page - 1) * query.limit}
    )
    select a.id, a.title, a.link, a.published_at, a.description, a.doi, shown.journal_id as "journalId",
      shown.journal_name, shown.read, shown.starred
    from shown join ${feedArticles} a on a.id = shown.id order by shown.published_at desc, shown.id`)
  const counted = await tx.execute<{ count: number }>(
    sql`with ${followed(query)} select count(*)::int as count from (select a.merge_key ${source} group by a.merge_key) as found`,
  )
  const data = rows.map(({ published_at, ...row }) => ({ ...row, pubDate: new Date(published_at).toISOString() }))
  return { data, count: counted.rows[0]?.count ?? 0 }
}

/** What marks on an article are kept under, or undefined when there is no such article. */
export async function findMergeKey(tx: Tx, articleId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ key: feedArticles.merge_key })
    .from(feedArticles)
    .where(eq(feedArticles.id, articleId))
  return row?.key
}

export async function saveMarks(tx: Tx, userId: string, mergeKey: string, marks: ArticleMarks): Promise<void> {
  await tx
    .insert(feedArticleMarks)
    .values({ user_id: userId, merge_key: mergeKey, ...marks })
    .onConflictDoUpdate({
      target: [feedArticleMarks.user_id, feedArticleMarks.merge_key],
      set: { ...marks, updated_at: sql`now()` },
    })
}

export async function deleteMarks(tx: Tx, userId: string, mergeKey: string): Promise<void> {
  await tx
    .delete(feedArticleMarks)
    .where(and(eq(feedArticleMarks.user_id, userId), eq(feedArticleMarks.merge_key, mergeKey)))
}
