import { generateOpml } from 'feedsmith'
import { asActor } from '#server/db/client.ts'
import { fetchFeed, parseOpmlFile } from '#server/external/index.ts'
import { addJournalByFeed, findJournalByFeed } from '#server/journals/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject } from '#server/projects/index.ts'
import type { OpmlResult } from '#shared/contract/feeds.ts'
import { listSubscriptions, subscribeAll } from './service.ts'
import { xmlText } from './xml-text.ts'

const MAX_OUTLINES = 1000
/** Maximum number of new feed addresses that are added from a file. It is limited because each new feed is fetched. */
const MAX_NEW = 50
const AT_A_TIME = 6
const EMPTY_OPML =
  '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0"><head><title>Journals</title></head><body></body></opml>\n'

/** Returns the journals that a project follows as an OPML file. */
export async function exportOpml(actor: Actor, projectId: string): Promise<string> {
  const rows = await listSubscriptions(actor, projectId)
  const outlines = rows.flatMap(({ journal_name: name, rss_feed_url: xmlUrl }) => {
    const text = xmlText(name)
    return xmlUrl ? [{ text, title: text, type: 'rss', xmlUrl: xmlText(xmlUrl) }] : []
  })
  // The library does not write a file without entries, which is valid too.
  if (outlines.length === 0) return EMPTY_OPML
  return generateOpml({ head: { title: 'Journals' }, body: { outlines } })
}

/**
 * Subscribes a project to the feeds of an OPML file. A journal is found by its feed address. For an unknown address, reads the
 * feed and adds a journal with the name in the file. Returns the numbers of new subscriptions and of added journals, and each
 * refused address with the reason.
 */
export async function importOpml(actor: Actor, projectId: string, text: string): Promise<OpmlResult> {
  const result: OpmlResult = { subscribed: 0, added: 0, refused: [] }
  // Checked first: nothing is fetched for a project that the caller may not change.
  await asActor(actor, (tx) => checkProject(tx, projectId, 'edit'))
  const wanted = await feedsOf(text)
  const ids: string[] = []
  const unknown: typeof wanted = []
  for (const one of wanted) {
    const journal = await asActor(actor, (tx) => findJournalByFeed(tx, one.address))
    if (journal) ids.push(journal.id)
    else if (unknown.length < MAX_NEW) unknown.push(one)
    else result.refused.push({ address: one.address, reason: `At most ${MAX_NEW} new feeds are added at a time.` })
  }
  const next = unknown.values()
  const add = async () => {
    for (const { address, name } of next) {
      const found = await fetchFeed(address)
      if (found.kind !== 'read') {
        result.refused.push({ address, reason: found.kind === 'failed' ? found.error : 'There is nothing to read.' })
        continue
      }
      ids.push((await asActor(actor, (tx) => addJournalByFeed(tx, actor, { name, rss_feed_url: address }))).id)
      result.added += 1
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, add))
  result.subscribed = await subscribeAll(actor, projectId, ids)
  return result
}

/** Returns the feeds in an OPML file, each address once. Throws 'refused' if there are none or too many. */
async function feedsOf(text: string) {
  const found = await parseOpmlFile(text)
  if (found.length === 0) throw new AppError('refused', 'No feeds were found in this file.')
  if (found.length > MAX_OUTLINES) throw new AppError('refused', `A file may have at most ${MAX_OUTLINES} feeds.`)
  return found
}
