import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { journals } from './journals.ts'
import { projects } from './projects.ts'

/**
 * RSS and Atom feeds of journals. A feed of the journal catalog has one row, which all users share (`owner_id` is null). A
 * feed that users added as a personal feed has one row per user: a shared row would reveal that another user reads the same
 * feed.
 */
export const feeds = pgTable(
  'feeds',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    url: text('url').notNull(),
    /** The only user who sees this feed and its articles; null for a feed of the catalog. */
    owner_id: text('owner_id').references(() => user.id, { onDelete: 'cascade' }),
    etag: text('etag'),
    last_modified: text('last_modified'),
    interval_minutes: integer('interval_minutes').notNull().default(60),
    next_fetch_at: isoTime('next_fetch_at')
      .notNull()
      .default(sql`now()`),
    /** Number of consecutive failed reads. */
    failures: integer('failures').notNull().default(0),
    last_error: text('last_error'),
    /** Number of articles of the feed. It is stored, because every page of the merged list shows a count. */
    article_count: integer('article_count').notNull().default(0),
    /** The time of the last successful read. */
    last_fetched_at: isoTime('last_fetched_at'),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    index('feeds_due').on(table.next_fetch_at),
    uniqueIndex('feeds_of_catalogue')
      .on(table.url)
      .where(sql`owner_id is null`),
    uniqueIndex('feeds_of_owner')
      .on(table.owner_id, table.url)
      .where(sql`owner_id is not null`),
  ],
)

/** SQL of the title without case, spaces and punctuation. All copies of an article must have the same normalized title. */
const TITLE = String.raw`lower(regexp_replace(title, '[[:space:][:punct:]]+', '', 'g'))`

/**
 * Articles, stored once per feed. Several feeds can have copies of one article; the copies are merged when the articles of a
 * project are listed.
 */
export const feedArticles = pgTable(
  'feed_articles',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    feed_id: uuid('feed_id')
      .notNull()
      .references(() => feeds.id, { onDelete: 'cascade' }),
    /** The feed's identifier of the article: its guid, else its link, else its title. */
    item_key: text('item_key').notNull(),
    /** The DOI in the feed, else the link, else `item_key`. The read and starred flags of users are stored under this key. */
    merge_key: text('merge_key').notNull(),
    title: text('title').notNull(),
    link: text('link').notNull(),
    doi: text('doi'),
    /** The link, normalized like the link in `merge_key`. It is also set if the article has a DOI. */
    link_key: text('link_key'),
    /** Hash of title and `merge_key`. Articles with equal hashes are copies. Without a DOI it equals `link_copy_key`. */
    copy_key: uuid('copy_key')
      .notNull()
      .generatedAlwaysAs(sql.raw(`md5(${TITLE} || E'\\n' || merge_key)::uuid`)),
    /** Hash of title and `link_key`. It finds copies of an article if only one of two feeds has the DOI. */
    link_copy_key: uuid('link_copy_key').generatedAlwaysAs(sql.raw(`md5(${TITLE} || E'\\n' || link_key)::uuid`)),
    /** Publication time according to the feed, else the time of the first read. */
    published_at: isoTime('published_at').notNull(),
    /** Whether the feed contains a publication time of the article. */
    dated: boolean('dated').notNull().default(true),
    /** True if another article has or had the same `copy_key` or `link_copy_key`. Other articles need no search for copies. */
    shared: boolean('shared').notNull().default(false),
    description: text('description').notNull(),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    unique('feed_articles_item').on(table.feed_id, table.item_key),
    index('feed_articles_published').on(table.feed_id, table.published_at.desc().nullsFirst(), table.id),
    index('feed_articles_merge').on(table.merge_key),
    index('feed_articles_copy').on(table.copy_key),
    index('feed_articles_link_copy').on(table.link_copy_key),
    // Includes all columns that decide which copy is shown.
    index('feed_articles_shared')
      .on(table.feed_id, table.copy_key, table.link_copy_key, table.created_at, table.published_at, table.id)
      .where(sql`shared`),
  ],
)

/** The journals that a project follows. */
export const userRssSubscription = pgTable(
  'user_rss_subscription',
  {
    /** The member who added the journal; null after the account is deleted. */
    user_id: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    journal_id: uuid('journal_id')
      .notNull()
      .references(() => journals.id, { onDelete: 'cascade' }),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.project_id, table.journal_id] }),
    index('user_rss_subscription_journal').on(table.journal_id),
  ],
)

/**
 * The read and starred flags of a user for an article. They apply to all copies of the article with the same `merge_key`. If
 * only some copies of an article have a DOI, the copies have different keys; the server then stores the flags under each of
 * these keys.
 */
export const feedArticleMarks = pgTable(
  'feed_article_marks',
  {
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    merge_key: text('merge_key').notNull(),
    read: boolean('read').notNull().default(false),
    starred: boolean('starred').notNull().default(false),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.merge_key] })],
)
