import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import { asSystem, openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { feedsAtRest, readDueFeeds } from '#server/feeds/refresh.ts'
import { ensureFollowedFeeds } from '#server/feeds/refresh-queries.ts'
import { listArticles } from '#server/feeds/service.ts'
import { env } from '#server/lib/env.ts'
import { feedArticlesQuery } from '#shared/contract/feeds.ts'
import { FEEDS, ITEMS, type Measured } from './feeds.ts'
import { median } from './report.ts'

/**
 * This program measures feeds. feeds.ts starts it with the settings to measure. It prints an object of type `Measured` as JSON.
 */

const ALL = '00000000-0000-4000-8000-0000000000a1'
const FEW = '00000000-0000-4000-8000-0000000000a2'
const ARTICLES = 500_000
const RUNS = 7
const actor = { userId: 'reader', isAdmin: false }

await openDatabase()
await migrateDatabase()
await catalogue()
const rssBefore = process.memoryUsage.rss()
let rssPeak = rssBefore
const sampler = setInterval(() => (rssPeak = Math.max(rssPeak, process.memoryUsage.rss())), 50)
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const refreshSeconds = await refreshed()
delay.disable()
clearInterval(sampler)
await asSystem((tx) => tx.execute(sql`update feeds set next_fetch_at = now()`))
const unchangedSeconds = await refreshed()
await expectCounts()
await fill()
const measured: Measured = {
  refreshSeconds,
  unchangedSeconds,
  rssBefore,
  rssPeak,
  delayP99: delay.percentile(99) / 1e6,
  delayMax: delay.max / 1e6,
  pages: await pages(),
}
process.stdout.write(JSON.stringify(measured), () => process.exit(0))

/** Creates the journals with their feeds, a project that follows all of them, and a project that follows twenty. */
async function catalogue(): Promise<void> {
  const hosts = [...env.GUARDED_FETCH_ALLOW]
  await asSystem(async (tx) => {
    await tx.execute(sql`insert into "user" (id, name, email) values ('reader', 'Reader', 'reader@example.org')`)
    for (const [id, name] of [
      [ALL, 'All'],
      [FEW, 'Few'],
    ])
      await tx.execute(sql`insert into projects (id, owner_id, name) values (${id}, 'reader', ${name})`)
    await tx.execute(sql`insert into journals (name, rss_feed_url)
      select 'Journal ' || n, 'http://' || (${sql.param(hosts)}::text[])[1 + n % ${hosts.length}] || '/' || n
      from generate_series(0, ${FEEDS - 1}) n`)
    await tx.execute(sql`insert into user_rss_subscription (user_id, project_id, journal_id)
      select 'reader', ${ALL}::uuid, id from journals`)
    await tx.execute(sql`insert into user_rss_subscription (user_id, project_id, journal_id)
      select 'reader', ${FEW}::uuid, id from journals order by name limit 20`)
    await ensureFollowedFeeds(tx)
  })
}

async function refreshed(): Promise<number> {
  const began = performance.now()
  readDueFeeds()
  await feedsAtRest()
  return (performance.now() - began) / 1000
}

async function expectCounts(): Promise<void> {
  const { rows } = await asSystem((tx) =>
    tx.execute<{ n: number; failed: number }>(sql`select (select count(*)::int from feed_articles) as n,
      (select count(*)::int from feeds where failures > 0 or last_fetched_at is null) as failed`),
  )
  if (rows[0]?.n !== FEEDS * ITEMS || rows[0].failed > 0)
    throw new Error(`Not everything was stored: ${JSON.stringify(rows[0])}`)
}

/**
 * Inserts older articles until there are 500,000, one in twenty of which is in two feeds. Inserts the read marks of a user who
 * has read 2,000 articles.
 */
async function fill(): Promise<void> {
  const older = ARTICLES / FEEDS - ITEMS
  for (let from = 1; from <= older; from += 50)
    await asSystem((tx) =>
      tx.execute(sql`insert into feed_articles
          (feed_id, item_key, merge_key, title, link, published_at, description, shared)
        select f.id, 'older ' || k, case when k % 20 = 0 then 'doi:pair.' || k || '.' || (f.n / 2) else 'doi:' || f.n || '.' || k end,
          'Paper ' || (case when k % 20 = 0 then f.n / 2 else f.n end * 7919 + k * 104729) % 50000 || case when k % 9 = 0 then ' on sleep' else '' end,
          'https://journal.example.org/' || f.n || '/' || k,
          timestamptz '2026-08-01' - make_interval(mins => k * 180 + f.n),
          repeat('What a night does to those who have one, again and again. ', 8), k % 20 = 0
        from (select id, (row_number() over (order by url))::int as n from feeds) f,
          generate_series(${from}::int, ${Math.min(older, from + 49)}::int) k`),
    )
  await asSystem((tx) => tx.execute(sql`update feeds set article_count = ${ARTICLES / FEEDS}`))
  await asSystem((tx) =>
    tx.execute(sql`insert into feed_article_marks (user_id, merge_key, read, starred)
      select 'reader', merge_key, true, row_number() over () % 20 = 0
      from (select distinct merge_key from feed_articles limit 2000) as noted`),
  )
  const { database } = await import('#server/db/client.ts')
  await database().pool.query('vacuum analyze')
}

async function pages(): Promise<Measured['pages']> {
  const found: Measured['pages'] = []
  const time = async (what: string, query: Record<string, unknown>) => {
    const parsed = feedArticlesQuery.parse({ project_id: ALL, ...query })
    const times: number[] = []
    let shown = 0
    // The first one warms caches and is not counted.
    for (let round = 0; round <= RUNS; round++) {
      const began = performance.now()
      shown = (await listArticles(actor, parsed)).data.length
      if (round > 0) times.push(performance.now() - began)
    }
    if (shown === 0) throw new Error(`${what}: an empty page`)
    found.push({ what, ms: median(times) })
  }
  const { count } = await listArticles(actor, feedArticlesQuery.parse({ project_id: ALL }))
  const last = Math.ceil(count / 20)
  await time('page 1', {})
  await time('page 10', { page: 10 })
  await time('page 1,000', { page: 1000 })
  await time(`the page in the middle (${Math.round(last / 2).toLocaleString('en-GB')})`, { page: Math.round(last / 2) })
  await time(`the last page (${last.toLocaleString('en-GB')})`, { page: last })
  await time('unread', { unread: 'true' })
  await time('starred', { starred: 'true' })
  await time('a rare word', { search: '31337' })
  await time('a word in one of nine titles', { search: 'on sleep' })
  await time('page 1 of a project that follows 20 of the 1,000', { project_id: FEW })
  await time('page 100 of that project', { project_id: FEW, page: 100 })
  return found
}
