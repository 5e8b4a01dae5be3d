import { AppError } from '#server/lib/errors.ts'
import { doiText } from '#shared/contract/doi.ts'
import { askOpenAlex, OPENALEX, PAGE_MAX } from './client.ts'
import { readWork, type Work } from './read-work.ts'
import { listWire, workWire } from './wire.ts'

/** The fields of a work that a request selects. A work with all fields is twenty times as long. */
const FIELDS =
  'id,ids,doi,title,display_name,publication_date,publication_year,language,type,is_retracted,is_paratext,cited_by_count,' +
  'authorships,abstract_inverted_index,biblio,primary_location,best_oa_location,locations,open_access'

/** Maximum number of pages of one search, because the cursors may never end. */
const PAGES_MAX = 20

/** A search for works. */
export interface WorkSearch {
  /** Words and phrases in quotation marks, combined with AND and OR. Use `searchWords` for untrusted text. */
  search: string
  /** yyyy-MM-dd: the earliest publication date. */
  from?: string | undefined
  /** Maximum number of works. */
  limit: number
  signal?: AbortSignal | undefined
}

/**
 * Returns the works of OpenAlex that match the query `search` best, best first, each once. Omits retracted works and paratext
 * (such as covers and tables of contents).
 */
export async function searchWorks({ search, from, limit, signal }: WorkSearch): Promise<Work[]> {
  const filter = ['is_retracted:false', 'is_paratext:false', ...(from ? [`from_publication_date:${from}`] : [])]
  const found = new Map<string, Work>()
  const cursors = new Set<string>()
  let cursor: string | null | undefined = '*'
  while (cursor && !cursors.has(cursor) && cursors.size < PAGES_MAX && found.size < limit) {
    cursors.add(cursor)
    const page = await list(
      { search, filter: filter.join(','), cursor, per_page: String(Math.min(limit, PAGE_MAX)) },
      signal,
    )
    const before = found.size
    for (const work of page.works)
      if (!found.has(work.id) && !work.isRetracted && !work.isParatext) found.set(work.id, work)
    // A new cursor that brings the same works would loop forever.
    if (page.works.length === 0 || found.size === before) break
    cursor = page.next
  }
  return [...found.values()].slice(0, limit)
}

/**
 * Returns the work with this DOI (in any form), or null. The work may be retracted. `personWaits` limits the call to 20 instead
 * of 90 seconds, because a user waits for the result.
 */
export const findWorkByDoi = (doi: string, signal?: AbortSignal, options?: { personWaits?: boolean }) =>
  findWorkById(`doi:${doiText(doi).split('/').map(encodeURIComponent).join('/')}`, signal, options)

/**
 * Returns the work with this PMID ('38552117') or PMCID ('PMC10447209'), or null. The work may be retracted. `personWaits`
 * limits the call to 20 instead of 90 seconds, because a user waits for the result.
 */
export const findWorkByPubMedId = (id: string, signal?: AbortSignal, options?: { personWaits?: boolean }) =>
  findWorkById(`${/^PMC/i.test(id) ? 'pmcid' : 'pmid'}:${encodeURIComponent(id)}`, signal, options)

async function findWorkById(
  id: string,
  signal?: AbortSignal,
  options?: { personWaits?: boolean },
): Promise<Work | null> {
  const answer = await askOpenAlex(`/works/${id}`, { select: FIELDS }, workWire, signal, options)
  return answer && readWork(answer)
}

/**
 * Returns up to ten works of OpenAlex whose title contains all words of `title`, best match first. Includes retracted works.
 */
export async function findWorksByTitle(title: string, signal?: AbortSignal): Promise<Work[]> {
  const words = searchWords(title)
  if (!words) return []
  return (await list({ filter: `title.search:${words}`, per_page: '10' }, signal)).works
}

/** Maximum length of the DOIs in one request, in characters: every server accepts a URL of this length. */
const DOIS_LENGTH = 2000

/**
 * Returns the DOIs in `dois` whose papers are retracted. `dois` must be in lower case, without 'https://doi.org/'. Sends one
 * request. Does not check DOIs beyond 2,000 characters in total, and DOIs that contain a comma or a vertical bar.
 */
export async function findRetracted(dois: readonly string[], signal?: AbortSignal): Promise<string[]> {
  let length = 0
  // A comma or a bar is an operator in a filter.
  const checked = dois.filter((doi) => !/[,|]/.test(doi) && (length += doi.length + 1) < DOIS_LENGTH).slice(0, PAGE_MAX)
  if (checked.length === 0) return []
  const filter = `doi:${checked.join('|')},is_retracted:true`
  const { works } = await list({ filter, per_page: String(PAGE_MAX) }, signal)
  return works.flatMap(({ doi, isRetracted }) => (doi && isRetracted ? [doi] : []))
}

/**
 * Returns the first words of a text (at most 40) for a search, without punctuation and without operators of the search syntax.
 */
export function searchWords(text: string): string {
  return (text.normalize('NFKC').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [])
    .slice(0, 40)
    .map((word) => word.slice(0, 60).toLowerCase())
    .join(' ')
}

async function list(
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<{ works: Work[]; next: string | null }> {
  const answer = await askOpenAlex('/works', { ...params, select: FIELDS }, listWire, signal)
  // A list answers 404 only when OPENALEX_URL points to something else.
  if (!answer)
    throw new AppError('outside_failed', `${OPENALEX} was not found at the configured address.`, { permanent: true })
  const { results, meta } = answer
  const known = results.flatMap((one) => workWire.safeParse(one).data ?? [])
  if (results.length > 0 && known.length === 0)
    throw new AppError('outside_failed', `${OPENALEX} gave an answer that does not follow the protocol.`)
  return { works: known.flatMap((wire) => readWork(wire) ?? []), next: meta.next_cursor ?? null }
}
