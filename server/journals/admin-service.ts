import { recordAudit } from '#server/audit/index.ts'
import { asAdmin, asAdminWithPersonal } from '#server/db/client.ts'
import { fetchFeed, findFeedAddress, findSource, searchSources } from '#server/external/index.ts'
import { AppError, notFound, rephrase } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import type { Actor } from '#server/db/actor.ts'
import { FEED_FAILED, PREVIEW_ARTICLES, type PreviewArticle } from '#shared/contract/feeds.ts'
import {
  type FoundSource,
  type Journal,
  type JournalInput,
  type JournalPatch,
  type ListedJournal,
  NO_OPENALEX_ID,
  OPENALEX_FETCH_FAILED,
  OPENALEX_FIELDS,
  type OpenAlexField,
  type OpenAlexSource,
  publicAddress,
  readOpenAlexKey,
  UNKNOWN_JOURNAL,
} from '#shared/contract/journals.ts'
import {
  deleteJournalRow,
  findJournalsByKey,
  findNameByKey,
  findWholeJournal,
  insertWholeJournal,
  type JournalRow,
  listVisibleJournals,
  lockWholeJournal,
  summariseJournals,
  updateJournalRow,
} from './admin-queries.ts'
import { findExcludedKeys } from './exclusion-queries.ts'
import { findJournalByFeed } from './queries.ts'

/**
 * Returns a page of the journals of the catalog and of the personal journals of users, sorted by name, without excluded
 * journals. `search` matches name, publisher or ISSN-L.
 */
export async function listCatalogue(
  actor: Actor,
  { search, page, limit }: { search: string; page: number; limit: number },
): Promise<{ data: ListedJournal[]; count: number }> {
  const found = await asAdminWithPersonal(actor, (tx) =>
    listVisibleJournals(tx, { search, limit, offset: (page - 1) * limit }),
  )
  return { data: found.data.map((row) => ({ ...presentJournal(row), document_count: 0 })), count: found.count }
}

/** Returns the number of journals that are not excluded, and the time of their last update (ISO 8601) or null. For admins. */
export const describeCatalogue = (actor: Actor) => asAdminWithPersonal(actor, summariseJournals)

/** Returns one journal, even if it is excluded. Throws 'not_found'. */
export const getJournal = (actor: Actor, id: string): Promise<Journal> =>
  asAdminWithPersonal(actor, async (tx) => presentJournal((await findWholeJournal(tx, id)) ?? missing()))

/**
 * Adds a journal that an admin typed or found in OpenAlex to the catalog. Throws 'conflict' if the OpenAlex ID of this journal
 * belongs to a journal of the catalog or to an excluded journal.
 */
export const addJournal = (actor: Actor, input: JournalInput): Promise<Journal> =>
  asAdmin(actor, async (tx) => {
    const key = readOpenAlexKey(input.openalex_id)
    if (key) {
      const known = await findNameByKey(tx, key)
      if (known !== undefined) throw new AppError('conflict', `${known} is in the catalog already.`)
      if ((await findExcludedKeys(tx, [key])).has(key))
        throw new AppError('conflict', 'This journal is excluded. Remove it from the exclusion list first.')
    }
    const created = await insertWholeJournal(tx, {
      ...input,
      added_by: actor.userId,
      last_updated: key ? new Date().toISOString() : null,
    })
    await recordAudit(tx, actor, { action: 'journal.added', subjectId: created.id, subject: created.name })
    return presentJournal(created)
  })

/**
 * Changes fields of a journal of the catalog. Updates from OpenAlex do not overwrite fields that an admin changed. The fields
 * in `give_back` may be overwritten again. Throws 'changed' when a field was changed after `version`, the version that the
 * caller read.
 */
export const changeJournal = (
  actor: Actor,
  id: string,
  { give_back = [], version, ...patch }: JournalPatch,
): Promise<Journal> =>
  asAdminWithPersonal(actor, async (tx) => {
    const { field_versions, ...before } = ofCatalogue(await lockWholeJournal(tx, id))
    refuseStaleChange({ ...before, field_versions }, patch, version, () => presentJournal(before))
    const key = readOpenAlexKey(patch.openalex_id)
    const other = key ? await findNameByKey(tx, key, id) : undefined
    if (other !== undefined) {
      const message = `This OpenAlex ID belongs to ${other} already.`
      throw new AppError('conflict', message, { fields: { openalex_id: message } })
    }
    const edited = OPENALEX_FIELDS.filter((name) => patch[name] !== undefined && patch[name] !== before[name])
    const after = (await updateJournalRow(tx, id, patch, { edited, givenBack: give_back })) ?? missing()
    const details = {
      ...changes(before, after),
      ...(give_back.length > 0 ? { given_back_to_openalex: give_back } : {}),
    }
    await recordAudit(tx, actor, { action: 'journal.changed', subjectId: id, subject: before.name, details })
    return presentJournal(after)
  })

/** Deletes a journal and its subscriptions. Documents still show its name. Throws AppError 'not_found'. */
export const deleteJournal = (actor: Actor, id: string): Promise<void> =>
  asAdminWithPersonal(actor, async (tx) => {
    const deleted = (await deleteJournalRow(tx, id)) ?? missing()
    await recordAudit(tx, actor, { action: 'journal.deleted', subjectId: id, subject: deleted.name })
  })

/**
 * Updates a journal from OpenAlex now. Fields that OpenAlex does not have, and fields that an admin edited, stay unchanged.
 * Throws 'conflict' if the OpenAlex ID changed during the request.
 */
export async function refreshJournal(actor: Actor, id: string): Promise<Journal> {
  const { openalex_id } = await getJournal(actor, id)
  if (!openalex_id) throw new AppError('refused', NO_OPENALEX_ID)
  const source = await findSource(openalex_id).catch((error: unknown) => {
    throw error instanceof AppError ? rephrase(error, `${OPENALEX_FETCH_FAILED}. ${error.message}`) : error
  })
  if (!source) throw new AppError('outside_failed', `${OPENALEX_FETCH_FAILED}. It has no journal with this ID.`)
  return asAdmin(actor, async (tx) => {
    const before = (await lockWholeJournal(tx, id)) ?? missing()
    if (before.openalex_id !== openalex_id) throw changedMeanwhile()
    // A merged source returns the source it was merged into, which can be in the catalog itself.
    const taken = (await findNameByKey(tx, readOpenAlexKey(source.openalex_id)!, id)) !== undefined
    const after = await updateJournalRow(tx, id, {
      ...valuesFrom(source, before.edited_fields),
      ...(taken ? {} : { openalex_id: source.openalex_id }),
      last_updated: new Date().toISOString(),
    })
    const details = changes(before, after ?? missing())
    await recordAudit(tx, actor, { action: 'journal.refreshed', subjectId: id, subject: before.name, details })
    return presentJournal(after ?? missing())
  })
}

/**
 * Searches journals in OpenAlex for the dialog 'Add Journal'. Each result shows whether the catalog has the journal, and
 * whether it is excluded.
 */
export async function searchOpenAlex(
  actor: Actor,
  { search, page, limit }: { search: string; page: number; limit: number },
): Promise<{ data: FoundSource[]; count: number }> {
  const { sources, count } = await searchSources(search, page, limit)
  const keyOf = (source: OpenAlexSource) => readOpenAlexKey(source.openalex_id)!
  const keys = sources.map(keyOf)
  if (keys.length === 0) return { data: [], count }
  const { known, excluded } = await asAdmin(actor, async (tx) => ({
    known: await findJournalsByKey(tx, keys),
    excluded: await findExcludedKeys(tx, keys),
  }))
  const data = sources.map((source) => ({
    ...source,
    journal_id: known.get(keyOf(source))?.id ?? null,
    excluded: excluded.has(keyOf(source)),
  }))
  return { data, count }
}

/**
 * Fetches the feed of a journal and returns its first articles. Returns an empty list for a journal without a feed. The feed of
 * a personal journal is fetched without the query of its address, because the query can contain secrets of the owner. Throws
 * 'outside_failed' if the feed cannot be read.
 */
export async function previewFeed(actor: Actor, id: string): Promise<PreviewArticle[]> {
  const { rss_feed_url } = await getJournal(actor, id)
  if (!rss_feed_url) return []
  const found = await fetchFeed(rss_feed_url)
  if (found.kind === 'failed') throw new AppError('outside_failed', FEED_FAILED, { cause: new Error(found.error) })
  const items = found.kind === 'read' ? found.items.slice(0, PREVIEW_ARTICLES) : []
  return items.map(({ title, link, publishedAt, description }) => ({ title, link, pubDate: publishedAt, description }))
}

/**
 * Finds the feed that a journal's home page links to, and stores its address with the journal. Throws 'conflict' if another
 * journal of the catalog has this feed, if the journal has another feed, or if its home page changed meanwhile.
 */
export async function findFeed(actor: Actor, id: string): Promise<Journal> {
  const { homepage_url } = await getJournal(actor, id)
  if (!homepage_url) throw new AppError('refused', 'This journal has no home page to look for a feed on.')
  const rss_feed_url = await findFeedAddress(homepage_url)
  return asAdmin(actor, async (tx) => {
    const other = await findJournalByFeed(tx, rss_feed_url)
    if (other && !other.personal && other.id !== id)
      throw new AppError('conflict', `This feed belongs to ${other.name} already.`)
    const before = (await lockWholeJournal(tx, id)) ?? missing()
    if (before.homepage_url !== homepage_url) throw changedMeanwhile()
    if (before.rss_feed_url !== null && before.rss_feed_url !== rss_feed_url)
      throw new AppError('conflict', 'This journal has another feed already.')
    const after = (await updateJournalRow(tx, id, { rss_feed_url })) ?? missing()
    const details = changes(before, after)
    await recordAudit(tx, actor, { action: 'journal.changed', subjectId: id, subject: before.name, details })
    return presentJournal(after)
  })
}

/**
 * Converts a journal for the display to admins. Removes the query from the address of a personal feed, because the query can
 * contain secrets of the owner.
 */
export function presentJournal(row: JournalRow): Journal {
  const shown = row.personal && row.rss_feed_url !== null ? publicAddress(row.rss_feed_url) : row.rss_feed_url
  return { ...row, rss_feed_url: shown, rss_feed_cut: shown !== row.rss_feed_url }
}

/**
 * Returns a journal of the catalog, which admins can change. Throws 'not_found' without a journal, and 'refused' for a
 * personal journal.
 */
function ofCatalogue<Row extends JournalRow>(found: Row | undefined): Row {
  if (!found) return missing()
  if (found.personal) throw new AppError('refused', 'Only the person who added this journal sees it. Adopt it first.')
  return found
}

/**
 * Returns the values of an OpenAlex source for the journal's fields that no admin edited. Omits missing values and the
 * placeholder for a missing name.
 */
function valuesFrom(source: OpenAlexSource, edited: readonly OpenAlexField[]): Partial<JournalInput> {
  const isKnown = (field: OpenAlexField) => source[field] !== null && source[field] !== UNKNOWN_JOURNAL
  const fields = OPENALEX_FIELDS.filter((field) => isKnown(field) && !edited.includes(field))
  return Object.fromEntries(fields.map((field) => [field, source[field]]))
}

const NOT_LISTED: ReadonlySet<string> = new Set(['updated_at', 'last_updated', 'edited_fields', 'version'])

/** Returns the changed fields of a journal, with old and new value, for the audit log, except NOT_LISTED. */
function changes(before: JournalRow, after: JournalRow): Record<string, unknown> {
  const fields = Object.keys(after) as (keyof JournalRow)[]
  const changed = fields.filter((name) => before[name] !== after[name] && !NOT_LISTED.has(name))
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

const changedMeanwhile = () =>
  new AppError('conflict', 'Someone else changed this journal in the meantime. Please try again.')

function missing(): never {
  throw notFound('Journal')
}
