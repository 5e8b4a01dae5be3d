import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feedArticleMarks, feedArticles, feeds } from '#server/db/tables/feeds.ts'

/** An article as it is stored. */
export type ArticleValues = Pick<
  typeof feedArticles.$inferInsert,
  'item_key' | 'merge_key' | 'link_key' | 'title' | 'link' | 'doi' | 'published_at' | 'dated' | 'description'
>

/**
 * Stores what a feed holds and returns how many articles are new. A changed article is changed; its date stays what it
 * was when it was first seen, so that an edit is no news.
 */
export async function storeArticles(tx: Tx, feedId: string, given: readonly ArticleValues[]): Promise<number> {
  if (given.length === 0) return 0
  // One process at a time: two that store the same article from two feeds would not see each other's copy.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('feed_articles'))`)
  const named = await doisOfLinks(tx, given)
  const renamed = await nameCopies(tx, named)
  const articles = given.map((one) => ({ ...one, ...(one.doi ? {} : named.get(one.link_key ?? '')) }))
  const { rows } = await tx.execute<{ is_new: boolean; merge_key: string }>(sql`
    insert into ${feedArticles} as kept
      (feed_id, item_key, merge_key, link_key, title, link, doi, published_at, dated, description)
    select ${feedId}::uuid, item_key, merge_key, link_key, title, link, doi, published_at, dated, description
    from jsonb_to_recordset(${JSON.stringify(articles)}::jsonb) as given(
      item_key text, merge_key text, link_key text, title text, link text, doi text, published_at timestamptz,
      dated boolean, description text)
    on conflict (feed_id, item_key) do update set merge_key = excluded.merge_key, link_key = excluded.link_key,
      title = excluded.title, link = excluded.link, doi = excluded.doi, description = excluded.description
    where (kept.merge_key, kept.link_key, kept.title, kept.link, kept.doi, kept.description)
      is distinct from (excluded.merge_key, excluded.link_key, excluded.title, excluded.link, excluded.doi, excluded.description)
    returning (xmax = 0) as is_new, merge_key`)
  const changed = [...renamed, ...rows.map((row) => row.merge_key)]
  if (changed.length > 0) await markShared(tx, changed)
  const news = rows.filter((row) => row.is_new).length
  if (news === 0) return 0
  await tx
    .update(feeds)
    .set({ article_count: sql`${feeds.article_count} + ${news}` })
    .where(eq(feeds.id, feedId))
  return news
}

/** Under which DOI a link is known. */
type Named = ReadonlyMap<string, { merge_key: string; doi: string }>

/**
 * The DOIs of the articles at these links, as this feed or another one tells them. A link that leads to several, as a
 * table of contents does, names none.
 */
async function doisOfLinks(tx: Tx, given: readonly ArticleValues[]): Promise<Named> {
  const links = [...new Set(given.flatMap(({ link_key }) => link_key ?? []))]
  const known = await tx
    .selectDistinct({ link_key: feedArticles.link_key, merge_key: feedArticles.merge_key, doi: feedArticles.doi })
    .from(feedArticles)
    .where(sql`${feedArticles.link_key} = any(${sql.param(links)}::text[]) and ${feedArticles.doi} is not null`)
  const named = new Map<string, { merge_key: string; doi: string } | null>()
  for (const { link_key, merge_key, doi } of [...given, ...known]) {
    if (!link_key || !doi) continue
    const before = named.get(link_key)
    named.set(link_key, before === undefined || before?.doi === doi ? { merge_key, doi } : null)
  }
  return new Map([...named].flatMap(([link, one]) => (one ? [[link, one] as const] : [])))
}

/**
 * Gives articles that came earlier without a DOI the one of their link, and takes people's marks along. Returns the keys
 * that they have now.
 */
async function nameCopies(tx: Tx, named: Named): Promise<string[]> {
  if (named.size === 0) return []
  const pairs = sql`jsonb_to_recordset(${JSON.stringify([...named].map(([link, one]) => ({ link, ...one })))}::jsonb)
    as named(link text, merge_key text, doi text)`
  const { rows } = await tx.execute<{ link: string; merge_key: string }>(sql`
    update ${feedArticles} a set merge_key = named.merge_key, doi = named.doi from ${pairs}
    where a.merge_key = named.link returning named.link, named.merge_key`)
  if (rows.length === 0) return []
  const moved = sql`(select distinct link, merge_key from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as given(link text, merge_key text))`
  await tx.execute(sql`
    with old as (
      delete from ${feedArticleMarks} m using ${moved} moved where m.merge_key = moved.link
      returning m.user_id, moved.merge_key, m.read, m.starred, m.updated_at
    )
    insert into ${feedArticleMarks} as kept (user_id, merge_key, read, starred, updated_at)
    select user_id, merge_key, bool_or(read), bool_or(starred), max(updated_at) from old group by user_id, merge_key
    on conflict (user_id, merge_key) do update
      set read = kept.read or excluded.read, starred = kept.starred or excluded.starred`)
  return rows.map((row) => row.merge_key)
}

/** Notes which of these keys several articles have. It is never taken back: to be looked up in vain costs little. */
async function markShared(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    with twins as (
      select twin.merge_key from ${feedArticles} twin where twin.merge_key = any(${sql.param(keys)}::text[])
      group by twin.merge_key having count(*) > 1
    )
    update ${feedArticles} a set shared = true from twins where a.merge_key = twins.merge_key and not a.shared`)
}
