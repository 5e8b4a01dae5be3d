import { recordAudit } from '#server/audit/index.ts'
import { asAdminWithPersonal, asSystem } from '#server/db/client.ts'
import { findFeedAddress } from '#server/external/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Journal } from '#shared/contract/journals.ts'
import {
  findCatalogueJournalByFeed,
  giveFeedToNamesake,
  insertAdopted,
  lockPersonalJournal,
  publishFeed,
  publishJournal,
  replaceJournal,
} from './adopt-queries.ts'
import { findWholeJournal } from './admin-queries.ts'
import { presentJournal } from './admin-service.ts'

/**
 * Adds a user's personal journal to the catalog, with the feed at the address that the admin confirms, after reading the feed.
 * If the catalog has a journal with the same name and without a feed, that journal gets the feed, and no journal is added. If
 * the address is the address of the personal journal itself, the personal journal is moved to the catalog, or merged into the
 * journal that got the feed, and its articles become public. Otherwise the user keeps the personal journal with its own
 * address. Throws 'conflict' if the journal is in the catalog already or the catalog has this feed.
 */
export async function adoptJournal(actor: Actor, id: string, input: { rss_feed_url: string }): Promise<Journal> {
  // Row-level security checks here that the caller is an admin now.
  const seen = await asAdminWithPersonal(actor, (tx) => findWholeJournal(tx, id))
  if (!seen) throw notFound('Journal')
  if (!seen.personal) throw new AppError('conflict', `${seen.name} is in the catalog already.`)
  const url = await findFeedAddress(input.rss_feed_url)
  const adopted = await asSystem(async (tx) => {
    const personal = await lockPersonalJournal(tx, id)
    if (!personal?.owner_id) throw notFound('Journal')
    const known = await findCatalogueJournalByFeed(tx, url)
    if (known) throw new AppError('conflict', `This feed belongs to ${known.name} already.`)
    const namesake = await giveFeedToNamesake(tx, personal.name, url)
    if (personal.url === url) {
      if (namesake) await replaceJournal(tx, id, namesake)
      else await publishJournal(tx, id)
      await publishFeed(tx, url, personal.owner_id)
    }
    const target = namesake ?? (personal.url === url ? id : await insertAdopted(tx, personal.name, url, actor.userId))
    await recordAudit(tx, actor, {
      action: 'journal.adopted',
      subjectId: target,
      subject: personal.name,
      details: { rss_feed_url: { from: null, to: url } },
    })
    return (await findWholeJournal(tx, target))!
  })
  return presentJournal(adopted)
}
