import type { TestDatabase } from '#tests/helpers/test-database.ts'

/** Number of rows that `fillLargely` inserts at scale 1. */
export const LARGE = { chunks: 1_000_000, journals: 260_000, articles: 500_000 }
const CHUNKS_OF_A_DOCUMENT = 200
const ARTICLES_OF_A_FEED = 1_000
const FOLLOWED = 50

/**
 * Inserts `scale` times the numbers of rows in LARGE. The new chunks belong to the project. Their vectors are mixtures of
 * vectors of real chunks, which the database must already contain, so that their distances are realistic. The project follows
 * some of the journals.
 */
export async function fillLargely(database: TestDatabase, project: string, scale: number): Promise<void> {
  const of = (rows: number) => Math.max(1, Math.round(rows * scale))
  const documents = Math.ceil(of(LARGE.chunks) / CHUNKS_OF_A_DOCUMENT)
  const feeds = Math.ceil(of(LARGE.articles) / ARTICLES_OF_A_FEED)
  await database.asSuperuser(
    `insert into documents (created_by, project_id, filename, title, extracted_text, status, created_at)
     select owner_id, id, 'large-' || n || '.pdf', 'Large study ' || n, '[Page 1] Participants of group ' || n || ' slept.',
       'processed', now() - n * interval '1 minute'
     from projects, generate_series(1, ${documents}) n where id = '${project}'`,
    `create temporary table real as
     select row_number() over () - 1 as n, embedding::vector as v, model, dimension
     from chunks where embedding is not null limit 500`,
    `insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension, embedding)
     select d.id, p, 'Chunk ' || p || ' of ' || d.title, 1, 0, false, a.model, a.dimension, l2_normalize(a.v + b.v + c.v)::halfvec
     from (select id, title, row_number() over (order by id) as n from documents where filename like 'large-%') d
     cross join generate_series(1, ${CHUNKS_OF_A_DOCUMENT}) p
     join real a on a.n = (d.n * 7 + p) % (select count(*) from real)
     join real b on b.n = (d.n * 13 + p * 31) % (select count(*) from real)
     join real c on c.n = (d.n * 101 + p * 3) % (select count(*) from real)`,
    `insert into journals (name, rss_feed_url, works_count)
     select 'Journal of Study ' || n, case when n <= ${feeds} then 'http://192.0.2.1/' || n end, n
     from generate_series(1, ${of(LARGE.journals)}) n`,
    `insert into feeds (url, next_fetch_at, last_fetched_at, article_count)
     select rss_feed_url, now() + interval '1 day', now(), ${ARTICLES_OF_A_FEED} from journals where rss_feed_url is not null`,
    `insert into feed_articles (feed_id, item_key, merge_key, title, link, published_at, description)
     select id, 'k' || k, 'doi:' || url || k, 'Article ' || k, '#', now() - make_interval(mins => k), 'Sleep and walking.'
     from feeds, generate_series(1, ${ARTICLES_OF_A_FEED}) k`,
    `insert into user_rss_subscription (user_id, project_id, journal_id)
     select owner_id, p.id, j.id from projects p, (select id from journals where rss_feed_url is not null limit ${FOLLOWED}) j
     where p.id = '${project}'`,
    'analyze',
  )
}
