import { eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feedArticleMarks, feedArticles, feeds } from '#server/db/tables/feeds.ts'
import { IS_COPY_BY_LINK } from './copy-queries.ts'

/** The columns of an article that are stored from a feed. */
export type ArticleValues = Pick<
  typeof feedArticles.$inferInsert,
  'item_key' | 'merge_key' | 'link_key' | 'title' | 'link' | 'doi' | 'published_at' | 'dated' | 'description'
>

interface StoredKeys extends Record<string, unknown> {
  copy_key: string
  link_copy_key: string | null
}

/**
 * Stores the articles of a feed and returns how many are new. A changed article is updated but keeps its first date, so that a
 * change does not move it up in the list. Also sets the column `shared`, which marks an article that may have copies in other
 * feeds, on the articles and their copies.
 */
export async function storeArticles(tx: Tx, feedId: string, given: readonly ArticleValues[]): Promise<number> {
  if (given.length === 0) return 0
  // Serializes writers: two transactions that store copies of one article do not see each other's rows.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('feed_articles'))`)
  await copyMarks(
    tx,
    sql`select existing.merge_key, given.merge_key from ${feedArticles} existing
      join jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(item_key text, merge_key text)
        on existing.item_key = given.item_key and existing.merge_key <> given.merge_key
      where existing.feed_id = ${feedId}::uuid`,
  )
  const { rows } = await tx.execute<StoredKeys & { is_new: boolean }>(sql`
    insert into ${feedArticles} as existing
      (feed_id, item_key, merge_key, link_key, title, link, doi, published_at, dated, description)
    select ${feedId}::uuid, item_key, merge_key, link_key, title, link, doi, published_at, dated, description
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(
      item_key text, merge_key text, link_key text, title text, link text, doi text, published_at timestamptz,
      dated boolean, description text)
    on conflict (feed_id, item_key) do update set merge_key = excluded.merge_key, link_key = excluded.link_key,
      title = excluded.title, link = excluded.link, doi = excluded.doi, description = excluded.description
    where (existing.merge_key, existing.link_key, existing.title, existing.link, existing.doi, existing.description)
      is distinct from (excluded.merge_key, excluded.link_key, excluded.title, excluded.link, excluded.doi, excluded.description)
    returning (xmax = 0) as is_new, copy_key, link_copy_key`)
  if (rows.length > 0) {
    await markShared(tx, rows)
    const links = [...new Set(rows.flatMap((row) => row.link_copy_key ?? []))]
    await copyMarks(
      tx,
      sql`select other.merge_key, own.merge_key from ${feedArticles} own join ${feedArticles} other on ${IS_COPY_BY_LINK}
        where own.feed_id = ${feedId}::uuid and own.link_copy_key = any(${sql.param(links)}::uuid[])`,
    )
  }
  const news = rows.filter((row) => row.is_new).length
  if (news === 0) return 0
  await tx
    .update(feeds)
    .set({ article_count: sql`${feeds.article_count} + ${news}` })
    .where(eq(feeds.id, feedId))
  return news
}

/**
 * Copies the marks (read, starred) of all users from one key of an article to another one, unless the user has marks there.
 * `keys` is a query for pairs of keys.
 */
async function copyMarks(tx: Tx, keys: SQL): Promise<void> {
  await tx.execute(sql`
    insert into ${feedArticleMarks} (user_id, merge_key, read, starred, updated_at)
    select m.user_id, k.new_key, bool_or(m.read), bool_or(m.starred), max(m.updated_at)
    from (${keys}) k(old_key, new_key) join ${feedArticleMarks} m on m.merge_key = k.old_key
    group by m.user_id, k.new_key
    on conflict do nothing`)
}

/**
 * Sets the column `shared` of all articles that have the same key as another article. It is never reset, because a wrong
 * `shared` only costs time in lists and does not change results.
 */
async function markShared(tx: Tx, stored: readonly StoredKeys[]): Promise<void> {
  for (const key of ['copy_key', 'link_copy_key'] as const) {
    const values = [...new Set(stored.flatMap((row) => row[key] ?? []))]
    const column = sql.identifier(key)
    await tx.execute(sql`
      with twins as (
        select twin.${column} from ${feedArticles} twin where twin.${column} = any(${sql.param(values)}::uuid[])
        group by twin.${column} having count(*) > 1
      )
      update ${feedArticles} a set shared = true from twins where a.${column} = twins.${column} and not a.shared`)
  }
}
