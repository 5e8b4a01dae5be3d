import { AppError } from '#server/lib/errors.ts'
import { type OpenAlexSource, readAddress, readOpenAlexKey, UNKNOWN_JOURNAL } from '#shared/journals.ts'
import { storableText } from '#shared/storable-text.ts'
import { askOpenAlex, OPENALEX, PAGE_MAX } from './client.ts'
import { type SourceWire, sourceWire } from './source-wire.ts'
import { listWire } from './wire.ts'

/** Only what is read: a whole source carries its counts of every year. */
const FIELDS =
  'id,display_name,type,issn_l,host_organization_name,works_count,cited_by_count,summary_stats,is_oa,is_in_doaj,homepage_url,works_api_url'

/** A page of all journals. `unreadable` counts the entries that are no source; `next` is null at the end. */
export interface SourcesPage {
  sources: OpenAlexSource[]
  unreadable: number
  count: number | null
  next: string | null
}

/** Every source of the type journal, a page at a time; begin with the cursor '*'. */
export async function listJournalSources(cursor: string, signal?: AbortSignal): Promise<SourcesPage> {
  const params = { filter: 'type:journal', per_page: String(PAGE_MAX), cursor, select: FIELDS }
  return readPage(await askOpenAlex('/sources', params, listWire, signal))
}

/** Sources that a search finds, the likeliest first, of whatever type. Pages count from 1. A person waits. */
export async function searchSources(
  search: string,
  page: number,
  limit: number,
): Promise<{ sources: OpenAlexSource[]; count: number }> {
  const params = { search, page: String(page), 'per-page': String(limit) }
  const { sources, count } = readPage(await askOpenAlex('/sources', params, listWire, undefined, { personWaits: true }))
  return { sources, count: count ?? sources.length }
}

/** One source by its key or its address, or null. One that was merged into another is that other one. A person waits. */
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
    throw new AppError('outside_failed', `${OPENALEX} gave an answer that is not understood.`)
  const unreadable = results.length - sources.length
  return { sources, unreadable, count: answer?.meta.count ?? null, next: answer?.meta.next_cursor || null }
}

/** The source in the catalogue's terms, or null for what has no key. */
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

/** What an integer column holds; null for anything else. */
const count = (given: number | null | undefined) =>
  typeof given === 'number' && given >= 0 && given <= 2_147_483_647 ? Math.trunc(given) : null
