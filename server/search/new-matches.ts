import { actorFor } from '#server/db/actor.ts'
import { asActor, asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import { addMail, sendOutbox } from '#server/mail/mail.ts'
import { checkProject } from '#server/projects/index.ts'
import { librarySearchQuery, type LibrarySearch } from '#shared/contract/library-search.ts'
import { pages } from '#shared/contract/paths.ts'
import { unambiguousAddress } from '#shared/contract/project-address.ts'
import { NEW_MATCH_DAYS } from '#shared/contract/saved-searches.ts'
import { searchParams } from '#shared/contract/search-address.ts'
import { findDueSearch, recordSearch, stopNotifying } from './saved-queries.ts'
import { searchLibrary } from './service.ts'

type DueSearch = NonNullable<Awaited<ReturnType<typeof findDue>>>

/** Maximum number of papers whose titles are in an e-mail; further papers are only counted. */
const NAMED = 10
/** Maximum number of new papers in an e-mail; the next e-mail reports the others. */
const MOST_FOUND = 50
/** Maximum number of reported papers that are stored with a saved search. A stored paper is not reported again. */
const MOST_REPORTED = 1000

/**
 * Returns the saved search that is the next to be searched for new papers, because its last search is the oldest and more than
 * a day ago; undefined if there is none. Skips the saved searches with the ids `except`.
 */
export const findDue = (except: readonly string[]) => asSystem((tx) => findDueSearch(tx, except))

/**
 * Searches for new papers that match a saved search, with the rights of its user, and adds an e-mail if there are any. The
 * e-mail and the time of the search are stored in one transaction, so that several servers send one e-mail. Switches the
 * e-mails off if the user no longer reads the project.
 */
export async function notifyOfMatches(saved: DueSearch, signal: AbortSignal): Promise<void> {
  const found = await search(saved, signal)
  if (found === null) return asSystem((tx) => stopNotifying(tx, saved.id))
  const reported = [...saved.reported, ...found.data.map(({ document_id }) => document_id)].slice(-MOST_REPORTED)
  await asSystem(async (tx) => {
    if ((await recordSearch(tx, saved, reported)) && found.data.length > 0)
      await addMail(tx, saved.email, wordsOf(saved, found))
  })
  sendOutbox()
}

type NewMatches = Pick<LibrarySearch, 'data' | 'listed'>

/** Returns the new papers that match a saved search, and their number; null if the user can no longer read the project. */
async function search(saved: DueSearch, signal: AbortSignal): Promise<NewMatches | null> {
  const actor = actorFor(saved.created_by)
  const week = new Date(Date.now() - NEW_MATCH_DAYS * 24 * 3600_000).toISOString()
  const since = saved.notify_since ?? week
  const query = librarySearchQuery.parse({
    ...searchParams(saved.project_id, saved.query),
    kind: 'papers',
    limit: MOST_FOUND,
    added_after: since > week ? since : week,
  })
  try {
    await asActor(actor, (tx) => checkProject(tx, saved.project_id, 'read'))
    return await searchLibrary(actor, query, signal, new Set(saved.reported))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    if (error instanceof AppError && error.code === 'refused') return { data: [], listed: 0 }
    throw error
  }
}

function wordsOf({ name, query, project_id, project_name }: DueSearch, { data, listed }: NewMatches) {
  const isMore = listed > MOST_FOUND
  const count = isMore ? `More than ${MOST_FOUND}` : data.length
  const papers = count === 1 ? '1 new paper matches' : `${count} new papers match`
  const titles = data.slice(0, NAMED).map(({ title, filename }) => `“${title ?? filename}”`)
  const rest = isMore ? ' and more' : data.length > NAMED ? ` and ${data.length - NAMED} more` : ''
  const address = pages.search(unambiguousAddress({ id: project_id, name: project_name }), query)
  return {
    subject: `${papers} “${name}”`,
    greeting: 'Hello,',
    text: `${papers} your saved search “${name}” in the project “${project_name}”: ${titles.join(', ')}${rest}.`,
    link: { label: 'Open the search', url: publicUrl() + address },
    closing: `You receive this e-mail because 'E-mail me about new matches' is on for this search. Switch it off in its menu below the search field at ${env.PRODUCT_NAME}.`,
  }
}
