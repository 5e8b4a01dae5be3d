import { AppError } from '#server/lib/errors.ts'
import { doiText } from '#shared/doi.ts'
import { askOpenAlex, OPENALEX, PAGE_MAX } from './client.ts'
import { readWork, type Work } from './read-work.ts'
import { listWire, workWire } from './wire.ts'

/** Only what is read: a whole work is twenty times as long. */
const FIELDS =
  'id,doi,title,display_name,publication_date,publication_year,language,type,is_retracted,is_paratext,cited_by_count,' +
  'authorships,abstract_inverted_index,primary_location,best_oa_location,locations,open_access'

/** A cursor that leads nowhere new ends the search; this ends one that always does. */
const PAGES_MAX = 20

/** What to search for. */
export interface WorkSearch {
  /** Words, phrases in quotation marks, AND and OR between them: see `searchWords`. */
  search: string
  /** yyyy-MM-dd: nothing older. */
  from?: string | undefined
  /** How many works are wanted. */
  limit: number
  signal?: AbortSignal | undefined
}

/** The best matches for a search, best first, each once; never retracted works, and never what is no work at all. */
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
    // A cursor that is new each time and brings the same works would go round for ever.
    if (page.works.length === 0 || found.size === before) break
    cursor = page.next
  }
  return [...found.values()].slice(0, limit)
}

/** The work with this DOI (in any form), or null. It may be a retracted one. */
export async function findWorkByDoi(doi: string, signal?: AbortSignal): Promise<Work | null> {
  const path = doiText(doi).split('/').map(encodeURIComponent).join('/')
  const answer = await askOpenAlex(`/works/doi:${path}`, { select: FIELDS }, workWire, signal)
  return answer && readWork(answer)
}

/** The works whose titles have all these words, likeliest first, at most ten. They may be retracted ones. */
export async function findWorksByTitle(title: string, signal?: AbortSignal): Promise<Work[]> {
  const words = searchWords(title)
  if (!words) return []
  return (await list({ filter: `title.search:${words}`, per_page: '10' }, signal)).works
}

/** As many DOIs as fit into an address that every server takes. */
const DOIS_LENGTH = 2000

/** Those of these DOIs, bare and in small letters, whose works are retracted by now. Asks once; what does not fit is left out. */
export async function findRetracted(dois: readonly string[], signal?: AbortSignal): Promise<string[]> {
  let length = 0
  // A comma or a bar means something in a filter.
  const asked = dois.filter((doi) => !/[,|]/.test(doi) && (length += doi.length + 1) < DOIS_LENGTH).slice(0, PAGE_MAX)
  if (asked.length === 0) return []
  const filter = `doi:${asked.join('|')},is_retracted:true`
  const { works } = await list({ filter, per_page: String(PAGE_MAX) }, signal)
  return works.flatMap(({ doi, isRetracted }) => (doi && isRetracted ? [doi] : []))
}

/** The words of a text as the search takes them: no sign and no operator that would mean something there; at most 40. */
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
  // A list that is not there is another service, or none, behind OPENALEX_URL.
  if (!answer)
    throw new AppError('outside_failed', `${OPENALEX} is not at the address that it is asked at.`, { permanent: true })
  const { results, meta } = answer
  const known = results.flatMap((one) => workWire.safeParse(one).data ?? [])
  if (results.length > 0 && known.length === 0)
    throw new AppError('outside_failed', `${OPENALEX} gave an answer that is not understood.`)
  return { works: known.flatMap((wire) => readWork(wire) ?? []), next: meta.next_cursor ?? null }
}
