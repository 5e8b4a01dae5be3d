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
 * Adds a user's personal journal to the catalog, with a feed address that the admin confirms. First reads the feed at this
 * address. If the catalog has a journal with the same name and no feed, this catalog journal gets the feed, and no journal is
 * added. If the address is equal to the feed address of the personal journal, the personal journal becomes the journal of the
 * catalog (or is merged into the catalog journal that got the feed), and its articles become public. If the address is another
 * one, the user keeps the personal journal. Throws 'conflict' if the journal is already in the catalog, or if another journal
 * of the catalog has this feed.
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
