import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'

/**
 * Returns a journal with its owner (null for a journal of the catalog) and locks it until the transaction ends; undefined if it
 * does not exist. Must run as the database role that owns the tables.
 */
export async function lockPersonalJournal(tx: Tx, id: string) {
  const [row] = await tx
    .select({ id: journals.id, name: journals.name, url: journals.rss_feed_url, owner_id: journals.owner_id })
    .from(journals)
    .where(eq(journals.id, id))
    .for('update')
  return row
}

/** Returns the journal of the catalog that has this feed, or undefined. */
export async function findCatalogueJournalByFeed(tx: Tx, url: string): Promise<{ name: string } | undefined> {
  const [row] = await tx
    .select({ name: journals.name })
    .from(journals)
    .where(and(eq(journals.rss_feed_url, url), isNull(journals.owner_id)))
    .limit(1)
  return row
}

/**
 * Sets the feed of the oldest catalog journal that has this name (any case) and no feed. Returns its id, or undefined if there
 * is no such journal.
 */
export async function giveFeedToNamesake(tx: Tx, name: string, url: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    update ${journals} set rss_feed_url = ${url}, updated_at = now() where id = (
      select id from ${journals}
      where name_key = lower(${name}) and owner_id is null and rss_feed_url is null
      order by created_at limit 1)
    returning id`)
  return rows[0]?.id
}

/** Adds a journal with its feed to the catalog and returns its id. */
export async function insertAdopted(tx: Tx, name: string, url: string, addedBy: string): Promise<string> {
  const [row] = await tx
    .insert(journals)
    .values({ name, rss_feed_url: url, added_by: addedBy })
    .returning({ id: journals.id })
  return row!.id
}

/** Makes a personal journal part of the catalog, visible to all users. */
export async function publishJournal(tx: Tx, id: string): Promise<void> {
  await tx
    .update(journals)
    .set({ owner_id: null, user_added: false, updated_at: sql`now()` })
    .where(eq(journals.id, id))
}

/** Moves the subscriptions of a personal journal to the journal `by`, and deletes the personal journal. */
export async function replaceJournal(tx: Tx, id: string, by: string): Promise<void> {
  await tx.execute(sql`
    insert into ${userRssSubscription} (user_id, journal_id, project_id, created_at)
    select user_id, ${by}::uuid, project_id, created_at from ${userRssSubscription} where journal_id = ${id}
    on conflict do nothing`)
  await tx.delete(journals).where(eq(journals.id, id))
}

/** Makes a personal feed and its articles public, unless the catalog already has a feed with this address. */
export async function publishFeed(tx: Tx, url: string, ownerId: string): Promise<void> {
  await tx.execute(sql`
    update ${feeds} set owner_id = null where url = ${url} and owner_id = ${ownerId}
      and not exists (select 1 from ${feeds} other where other.url = ${url} and other.owner_id is null)`)
}
