import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feedArticles } from '#server/db/tables/feeds.ts'

/**
 * A copy of an article is late if its date is this much earlier than the time at which the server found it. A late copy is
 * hidden if there is another copy, because its date would move the article far down the list.
 */
const LATE = sql`interval '90 days'`

/**
 * The sort order of the copies of an article. The first copy is shown, the others are hidden. Late copies (see LATE) come last;
 * among the others, the copy that the server found first comes first.
 */
const RANK = sql`is_late, created_at, id`

/**
 * Returns common table expressions that end in `hidden`: the ids of the articles of the feeds `ids` that are copies of another
 * article in these feeds. Feeds can contain wrong data, so two articles are copies only if they have the same title and the
 * same DOI, or the same title and the same link if one of them has no DOI. A link with several DOIs identifies no article.
 * Other feeds have no effect. With `among`, a query for article ids, only copies of these articles are searched.
 */
export function hiddenCopies(ids: SQL, among?: SQL): SQL {
  const near = among
    ? sql`near as materialized (
        select c.copy_key, c.link_copy_key from ${feedArticles} c where c.shared and c.id in (${among})),`
    : sql``
  const isNear = among
    ? sql`and (s.copy_key in (select copy_key from near) or s.link_copy_key in (select link_copy_key from near))`
    : sql``
  return sql`${near} copies as materialized (
      select id, copy_key, link_copy_key, is_late, created_at,
        row_number() over (partition by copy_key order by ${RANK}) as of_key
      from (
        select s.id, s.copy_key, s.link_copy_key, s.created_at, s.published_at < s.created_at - ${LATE} as is_late
        from ${feedArticles} s where s.shared and s.feed_id = any(${ids}) ${isNear}
      ) shared
    ), without_doi as materialized (
      select distinct link_copy_key from copies where copy_key = link_copy_key
    ), with_doi as materialized (
      select link_copy_key from (
        select distinct link_copy_key, copy_key from copies
        where copy_key <> link_copy_key and link_copy_key in (select link_copy_key from without_doi)
      ) dois group by link_copy_key having count(*) = 1
    ), hidden as materialized (
      select id from copies where of_key > 1
      union all
      select id from (
        select id, of_key, row_number() over (partition by link_copy_key order by ${RANK}) as of_link
        from copies where link_copy_key in (select link_copy_key from with_doi)
      ) same_link where of_link > 1 and of_key = 1
    )`
}

/**
 * SQL condition on two rows of the articles table with the aliases `own` and `other`: they are copies of one article, because
 * they have the same title and link and only one of them has a DOI. A link that occurs with several DOIs identifies no article.
 */
export const IS_COPY_BY_LINK = sql`(other.link_copy_key = own.link_copy_key and (other.doi is null) <> (own.doi is null)
  and (select count(distinct c.doi) from ${feedArticles} c where c.link_copy_key = own.link_copy_key) = 1)`

/**
 * SQL condition: a list shows the article `a`, because it is not in `hidden`, the copies of other articles of the list (see
 * `hiddenCopies`). First checks the column `shared`, because an article without it cannot have copies.
 */
export const IS_SHOWN = sql`(not a.shared or a.id not in (select id from hidden))`

interface Copy extends Record<string, unknown> {
  /** The id of the shown article. */
  of: string
  feed_id: string
  link: string
}

/**
 * Several feeds of a list can have the same article, which the list shows once. Returns the hidden copies of the shown articles
 * `shown` (ids) in the other feeds of the list, at most one copy for each article and feed. `ids` is the SQL of the ids of the
 * feeds of the list.
 */
export async function findCopies(tx: Tx, ids: SQL, shown: readonly string[]): Promise<Copy[]> {
  const { rows } = await tx.execute<Copy>(sql`
    with ${hiddenCopies(ids, sql`select unnest(${sql.param(shown)}::uuid[])`)}
    select distinct on (a.id, c.feed_id) a.id as of, c.feed_id, c.link
    from ${feedArticles} a join copies on copies.copy_key = a.copy_key or copies.link_copy_key = a.link_copy_key
    join hidden on hidden.id = copies.id join ${feedArticles} c on c.id = copies.id and c.feed_id <> a.feed_id
    where a.id = any(${sql.param(shown)}::uuid[]) and a.shared
    order by a.id, c.feed_id, c.published_at`)
  return rows
}
