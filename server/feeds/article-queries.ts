import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { feedArticleMarks, feedArticles, feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'
import { typedWords, wordQuery } from '#server/db/word-query.ts'
import {
  type FeedArticle,
  type FeedArticlePage,
  type FeedArticlesQuery,
  NO_LINK,
  saysRetracted,
} from '#shared/contract/feeds.ts'
import { LONG_TITLE, titleMatch } from '#shared/references/title-match.ts'
import { findCopies, hiddenCopies, IS_SHOWN } from './copy-queries.ts'

/** A feed that a project follows, with one of the journals that have this feed. */
interface FollowedFeed extends Record<string, unknown> {
  feed_id: string
  journal_id: string
  journal_name: string
  article_count: number
}

/**
 * Up to this number of articles, a query reads the newest articles of each feed separately, which is faster. For more articles,
 * it scans the articles of all feeds by date.
 */
const FEED_BY_FEED = 5_000
/**
 * Up to this number of scanned articles, a query reads the marks (read, starred) of each article separately. For more articles,
 * it first reads all marks.
 */
const LOOKED_UP = 1_000

/**
 * Returns a page of the articles of all feeds that a project follows, newest first. An article in several feeds is listed once.
 * `count` in the result is the exact number of articles on all pages. `unread_at` is the time for which the filter `unread`
 * applies: articles that were read after this time stay in the list, so that pages do not shift.
 */
export async function listArticleRows(tx: Tx, userId: string, query: FeedArticlesQuery): Promise<FeedArticlePage> {
  const followed = await followedFeeds(tx, query)
  if (followed.length === 0) return { data: [], count: 0, unread_at: new Date().toISOString() }
  const ids = sql`${sql.param(followed.map((one) => one.feed_id))}::uuid[]`
  const isChosen = query.search !== '' || query.starred === 'true' || query.unread === 'false'
  const { page, count, now } = isChosen
    ? await pageOfChosen(tx, userId, query, ids)
    : await pageOfAll(tx, userId, query, followed, ids)
  const unread_at = query.unread_at ?? new Date(now).toISOString()
  if (page.length === 0) return { data: [], count, unread_at }
  const { rows } = await tx.execute<ArticleRow>(sql`
    select a.id, a.title, a.link, a.doi, a.description, a.published_at, a.dated, a.feed_id,
      coalesce(m.read, false) as read, coalesce(m.starred, false) as starred
    from ${feedArticles} a left join ${feedArticleMarks} m on m.merge_key = a.merge_key and m.user_id = ${userId}
    where a.id = any(${sql.param(page)}::uuid[]) order by a.published_at desc, a.id`)
  const byFeed = new Map(followed.map((one) => [one.feed_id, one]))
  const documentOf = await documentsOf(tx, query.project_id, rows)
  const retracted = await findRetractedDois(tx, rows)
  const copies = Map.groupBy(await findCopies(tx, ids, page), (copy) => copy.of)
  const isRetracted = ({ doi, title }: ArticleRow) => saysRetracted(title) || (doi !== null && retracted.has(doi))
  const data = rows.map((row) => {
    const { published_at, feed_id, ...shown } = row
    const { journal_id: journalId, journal_name } = byFeed.get(feed_id)!
    const pubDate = new Date(published_at).toISOString()
    const also_in = (copies.get(row.id) ?? []).map((copy) => ({
      journal_name: byFeed.get(copy.feed_id)!.journal_name,
      link: copy.link,
    }))
    return {
      ...shown,
      pubDate,
      journalId,
      journal_name,
      document_id: documentOf(row),
      retracted: isRetracted(row),
      also_in,
    }
  })
  return { data, count, unread_at }
}

interface Page extends Record<string, unknown> {
  page: string[]
  count: number
  now: string
}

/**
 * Returns the ids of one page of the articles that match a search or have a mark (read or starred), with their count. They are
 * few, and are found by indexes.
 */
async function pageOfChosen(tx: Tx, userId: string, query: FeedArticlesQuery, ids: SQL): Promise<Page> {
  const source = query.search
    ? sql`${found(ids, query)} a where ${marksFit(userId, query, ids)}`
    : sql`${marked(userId, ids)} where ${noted(query)}`
  const { rows } = await tx.execute<Page>(sql`
    with matching as materialized (select a.id, a.shared, a.published_at from ${source}),
    ${hiddenCopies(ids, sql`select id from matching where shared`)},
    chosen as materialized (select a.id, a.published_at from matching a where ${IS_SHOWN})
    select now(), (select count(*)::int from chosen) as count, array(
      select id from chosen order by published_at desc, id
      limit ${query.limit} offset ${(query.page - 1) * query.limit}) as page`)
  return rows[0]!
}

/**
 * Returns the ids of one page of all articles, or of the unread or unstarred articles, which are nearly all of them, with their
 * count.
 */
async function pageOfAll(
  tx: Tx,
  userId: string,
  query: FeedArticlesQuery,
  followed: FollowedFeed[],
  ids: SQL,
): Promise<Page> {
  const total = followed.reduce((sum, one) => sum + one.article_count, 0)
  const { limit } = query
  const offset = (query.page - 1) * limit
  const isNearEnd = offset > total / 2
  /** The maximum number of articles that the query scans. */
  const wanted = isNearEnd ? Math.max(0, total - offset) : offset + limit
  const order = isNearEnd ? sql`order by a.published_at, a.id desc` : sql`order by a.published_at desc, a.id`
  const range = isNearEnd
    ? sql`limit (select greatest(0, least(${limit}, n - ${offset})) from counted)
        offset (select greatest(0, n - ${offset} - ${limit}) from counted)`
    : sql`limit ${limit} offset ${offset}`
  const where = sql`${IS_SHOWN} and ${marksFit(userId, query, wanted <= LOOKED_UP ? null : ids)}`
  const inFeeds = followed.reduce((sum, one) => sum + Math.min(one.article_count, wanted), 0)
  const source =
    inFeeds <= FEED_BY_FEED
      ? sql`from unnest(${ids}) one(id) cross join lateral (
          select a.id, a.published_at from ${feedArticles} a
          where a.feed_id = one.id and ${where} ${order} limit ${wanted}) a`
      : // `is true` keeps the planner from gathering the articles of all feeds, to sort them.
        sql`from ${feedArticles} a where (a.feed_id = any(${ids})) is true and ${where}`
  // Counts the articles whose marks do not fit. They are few, and the marks lead to them.
  const unfit =
    query.starred || query.unread
      ? sql`(select count(*) from ${marked(userId, ids)} where ${IS_SHOWN} and not (${noted(query)}))`
      : sql`0`
  const { rows } = await tx.execute<Page>(sql`
    with ${hiddenCopies(ids)},
    counted as materialized (select (${total} - (select count(*) from hidden) - ${unfit})::int as n)
    select now(), n as count, array(select a.id ${source} ${order} ${range}) as page from counted`)
  return rows[0]!
}

type ArticleRow = Omit<
  FeedArticle,
  'pubDate' | 'journalId' | 'journal_name' | 'document_id' | 'also_in' | 'retracted'
> & {
  published_at: string
  feed_id: string
}

/**
 * Returns a function that returns the id of the project's document of an article, or null, by the rules of `findPaper` in
 * `server/lookup`, which adds an article to the project.
 */
async function documentsOf(tx: Tx, projectId: string, articles: readonly Pick<ArticleRow, 'doi' | 'title'>[]) {
  const dois = articles.flatMap(({ doi }) => doi ?? [])
  const titles = articles.flatMap(({ doi, title }) => (doi ? [] : title.toLowerCase()))
  const rows = await tx
    .select({
      id: documents.id,
      doi: documents.doi_key,
      title: sql<string | null>`lower(${documents.title})`,
      link: documents.link,
    })
    .from(documents)
    .where(
      sql`${documents.project_id} = ${projectId} and (${documents.doi_key} = any(${sql.param(dois)}::text[])
        or ${documents.doi_key} is null and lower(${documents.title}) = any(${sql.param(titles)}::text[]))`,
    )
    .orderBy(documents.created_at)
  const known = Map.groupBy(rows, ({ doi, title }) => doi ?? `title:${title}`)
  return ({ doi, title, link }: Pick<ArticleRow, 'doi' | 'title' | 'link'>) => {
    const isShort = doi === null && titleMatch(title).length < LONG_TITLE
    const isSame = (row: (typeof rows)[number]) => !isShort || !row.link || link === NO_LINK || row.link === link
    return known.get(doi ?? `title:${title.toLowerCase()}`)?.find(isSame)?.id ?? null
  }
}

/** Returns the DOIs of articles that the user has as retracted papers, in any project. */
async function findRetractedDois(tx: Tx, articles: readonly Pick<ArticleRow, 'doi'>[]): Promise<Set<string>> {
  const dois = articles.flatMap(({ doi }) => doi ?? [])
  const rows = await tx
    .selectDistinct({ doi: documents.doi_key })
    .from(documents)
    .where(sql`${documents.doi_key} = any(${sql.param(dois)}::text[]) and ${documents.retracted}`)
  return new Set(rows.flatMap(({ doi }) => doi ?? []))
}

/** Returns the feeds that a project follows. Each feed has one journal, although several journals can share an address. */
async function followedFeeds(tx: Tx, query: FeedArticlesQuery): Promise<FollowedFeed[]> {
  const { rows } = await tx.execute<FollowedFeed>(sql`
    select distinct on (${feeds.id}) ${feeds.id} as feed_id, ${journals.id} as journal_id, ${journals.name} as journal_name,
      ${feeds.article_count}
    from ${userRssSubscription}
    join ${journals} on ${journals.id} = ${userRssSubscription.journal_id}
    join ${feeds} on ${feeds.url} = ${journals.rss_feed_url} and ${feeds.owner_id} is not distinct from ${journals.owner_id}
    where ${userRssSubscription.project_id} = ${query.project_id}
    ${query.journal_id ? sql`and ${journals.id} = ${query.journal_id}` : sql``}
    order by ${feeds.id}, ${journals.name}`)
  return rows
}

/**
 * Returns the SQL `from` clause for the articles `a` of these feeds for which the user has stored marks (read, starred) `m`.
 */
const marked = (userId: string, ids: SQL) =>
  sql`${feedArticleMarks} m join ${feedArticles} a on a.merge_key = m.merge_key and a.feed_id = any(${ids}) and m.user_id = ${userId}`

const found = (ids: SQL, { search }: FeedArticlesQuery) =>
  sql`search_feed_articles(${ids}, to_tsquery('english', ${wordQuery(typedWords(search))}))`

/**
 * Returns the SQL condition that an article with the marks `m` was read at the time `unread_at`. An article that was starred
 * after this time counts as unread, because only the time of the last change of its marks is stored.
 */
const isRead = ({ unread_at }: FeedArticlesQuery) =>
  unread_at ? sql`(m.read and m.updated_at <= ${unread_at}::timestamptz)` : sql`m.read`

/** Returns the SQL condition that the marks `m` (read, starred) of an article are the requested ones. */
function noted(query: FeedArticlesQuery): SQL {
  const { starred, unread } = query
  const parts = [sql`true`]
  if (starred) parts.push(sql`m.starred = ${starred === 'true'}`)
  if (unread) parts.push(sql`${isRead(query)} = ${unread === 'false'}`)
  return sql.join(parts, sql` and `)
}

/**
 * Returns the SQL condition that an article `a` has the requested marks (read, starred). An article without stored marks is
 * unread and not starred. With `ids`, the marks of all articles in these feeds are read once; with null, the marks of each
 * article are read separately.
 */
function marksFit(userId: string, query: FeedArticlesQuery, ids: SQL | null): SQL {
  const { starred, unread } = query
  const parts = [sql`true`]
  const has = (what: SQL) =>
    ids
      ? sql`a.id in (select a.id from ${marked(userId, ids)} where ${what})`
      : sql`exists (select 1 from ${feedArticleMarks} m where m.user_id = ${userId}
          and m.merge_key = (select c.merge_key from ${feedArticles} c where c.id = a.id) and ${what})`
  if (starred) parts.push(sql`${has(sql`m.starred`)} = ${starred === 'true'}`)
  if (unread) parts.push(sql`${has(isRead(query))} = ${unread === 'false'}`)
  return sql.join(parts, sql` and `)
}
