import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { journals } from '#server/db/tables/journals.ts'
import type { JournalOption } from '#shared/journals.ts'

/** Journals by name, at most `limit`, whose name holds `search`. */
export async function listJournalRows(tx: Tx, search: string, limit: number): Promise<JournalOption[]> {
  return tx
    .select({ id: journals.id, name: journals.name, rss_feed_url: journals.rss_feed_url })
    .from(journals)
    .where(search ? sql`${journals.name} ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}` : undefined)
    .orderBy(sql`lower(${journals.name})`, journals.id)
    .limit(limit)
}

/** The one journal of this name (any case), the oldest when there are several. */
export async function findJournalByName(tx: Tx, name: string) {
  const [row] = await tx
    .select({ id: journals.id, name: journals.name })
    .from(journals)
    .where(sql`lower(${journals.name}) = lower(${name})`)
    .orderBy(journals.created_at)
    .limit(1)
  return row
}

export async function insertJournalRow(tx: Tx, name: string, addedBy: string) {
  const [row] = await tx
    .insert(journals)
    .values({ name, added_by: addedBy, user_added: true })
    .returning({ id: journals.id, name: journals.name })
  return row
}
