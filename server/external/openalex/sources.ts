import { AppError } from '#server/lib/errors.ts'
import { type OpenAlexSource, readAddress, readOpenAlexKey, UNKNOWN_JOURNAL } from '#shared/contract/journals.ts'
import { storableText } from '#shared/text/storable-text.ts'
import { askOpenAlex, OPENALEX, PAGE_MAX } from './client.ts'
import { type SourceWire, sourceWire } from './source-wire.ts'
import { listWire } from './wire.ts'

/** The fields of a source that a request selects. Without a selection, OpenAlex also returns counts for every year. */
const FIELDS =
  'id,display_name,type,issn_l,host_organization_name,works_count,cited_by_count,summary_stats,is_oa,is_in_doaj,homepage_url,works_api_url'

/**
 * A page of journals. `unreadable` counts entries that are not a valid source; `count` is the total of all pages, or null;
 * `next` is the next cursor, null at the end.
 */
export interface SourcesPage {
  sources: OpenAlexSource[]
  unreadable: number
  count: number | null
  next: string | null
}

/**
 * Returns one page of the list of all journals of OpenAlex. `cursor` selects the page: '*' for the first page, then the value
 * `next` of the previous page.
 */
export async function listJournalSources(cursor: string, signal?: AbortSignal): Promise<SourcesPage> {
  const params = { filter: 'type:journal', per_page: String(PAGE_MAX), cursor, select: FIELDS }
  return readPage(await askOpenAlex('/sources', params, listWire, signal))
}

/**
 * Searches the sources of OpenAlex (journals, repositories and others) by name. Returns the page `page` (counted from 1) of the
 * matches, best match first, and `count`, the number of all matches. The call has the short time limit (20 seconds), because a
 * user waits for the result.
 */
export async function searchSources(
  search: string,
  page: number,
  limit: number,
): Promise<{ sources: OpenAlexSource[]; count: number }> {
  const params = { search, page: String(page), 'per-page': String(limit) }
  const { sources, count } = readPage(await askOpenAlex('/sources', params, listWire, undefined, { personWaits: true }))
  return { sources, count: count ?? sources.length }
}

/**
 * Returns a source by its key ('S137773608') or its OpenAlex address; null for an unknown source, and for the id of another
 * entity, such as a work. For a merged source, returns its successor. The call has the short time limit (20 seconds), because a
 * user waits for the result.
 */
export async function findSource(id: string, signal?: AbortSignal): Promise<OpenAlexSource | null> {
  const key = readOpenAlexKey(id)
  if (!key || !/^S\d+$/.test(key)) return null
  const wire = await askOpenAlex(`/sources/${key}`, {}, sourceWire, signal, { personWaits: true })
  return wire && readSource(wire)
}

function readPage(
  answer: {
    meta: { count?: number | null | undefined; next_cursor?: string | null | undefined }
    results: unknown[]
  } | null,
): SourcesPage {
  const results = answer?.results ?? []
  const sources = results.flatMap((one) => {
    const wire = sourceWire.safeParse(one).data
    return (wire && readSource(wire)) ?? []
  })
  if (results.length > 0 && sources.length === 0)
    throw new AppError('outside_failed', `${OPENALEX} gave an answer that does not follow the protocol.`)
  const unreadable = results.length - sources.length
  return { sources, unreadable, count: answer?.meta.count ?? null, next: answer?.meta.next_cursor || null }
}

/** Converts a source of OpenAlex to the fields that Lectern uses. Returns null if its id is not a source id. */
export function readSource(wire: SourceWire): OpenAlexSource | null {
  const key = readOpenAlexKey(wire.id)
  if (!key || !/^S\d+$/.test(key)) return null
  return {
    openalex_id: `https://openalex.org/${key}`,
    name: text(wire.display_name) ?? UNKNOWN_JOURNAL,
    type: text(wire.type),
    publisher: text(wire.host_organization_name) ?? text(wire.host_organization?.display_name) ?? text(wire.publisher),
    issn_l: text(wire.issn_l),
    works_count: count(wire.works_count),
    citations_count: count(wire.cited_by_count),
    is_open_access: wire.is_oa || wire.is_in_doaj ? true : (wire.is_oa ?? wire.is_in_doaj ?? null),
    homepage_url: readAddress(text(wire.homepage_url)),
    h_index: count(wire.summary_stats?.h_index),
    i10_index: count(wire.summary_stats?.i10_index),
    works_api_url: readAddress(text(wire.works_api_url)),
  }
}

const text = (given: string | null | undefined) => storableText(given ?? '').trim() || null

/**
 * Returns the integer part of a number; null for a negative number and for a number that is too large for an integer column.
 */
const count = (given: number | null | undefined) =>
  typeof given === 'number' && given >= 0 && given <= 2_147_483_647 ? Math.trunc(given) : null
