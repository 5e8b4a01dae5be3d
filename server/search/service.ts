import { embeddingModel } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { listLevelsAndTags } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { checkProject } from '#server/projects/index.ts'
import { markTerms } from '#server/texts/index.ts'
import {
  type LibrarySearch,
  type LibrarySearchQuery,
  type NotVectorized,
  SEARCH_FILTERS,
  type SearchCount,
  type SearchFilter,
  type SearchFilters,
  type SearchScopeQuery,
} from '#shared/contract/library-search.ts'
import { PROCESS_MAX } from '#shared/contract/processing.ts'
import { parseSearch, refuseSearch } from '#shared/contract/search-query.ts'
import { findCandidates, findListed, rankCandidates, vectorOf } from './find-listed.ts'
import type { Listed } from './list-results.ts'
import { readPassages } from './passage-queries.ts'
import { type Asked, planSearch } from './plan-search.ts'
import { presentHit } from './present-hit.ts'
import { countNotVectorized, countReadable, countVectorized, listNotVectorized, listTypes } from './queries.ts'
import { inScope, listProjects, type Scope } from './scope-queries.ts'

/**
 * Searches the passages or papers of the caller's projects by words and meaning. Throws 'refused' for a search without words,
 * and 'not_found' for a project that the caller cannot read. The list leaves out the papers `except`.
 */
export async function searchLibrary(
  actor: Actor,
  query: LibrarySearchQuery,
  signal?: AbortSignal,
  except: ReadonlySet<string> = new Set(),
): Promise<LibrarySearch> {
  const parsed = parseSearch(query.q)
  const refusal = refuseSearch(parsed)
  if (refusal !== null) throw new AppError('refused', refusal)
  const scope = await asActor(actor, (tx) => scopeOf(tx, actor, query))
  const asked = planSearch(query, parsed, scope)
  const embedded = vectorOf(actor, asked, signal)
  const model = embeddingModel()
  const candidates = await findCandidates(actor, asked, embedded, signal)
  // The worker ranks the candidates while the database counts.
  const [found, not_vectorized] = await Promise.all([
    rankCandidates(actor, asked, candidates, signal),
    model.hasVectors ? asActor(actor, (tx) => countNotVectorized(tx, scope, model.model)) : 0,
  ])
  const first = (query.page - 1) * query.limit
  const listed = found.listed.filter(({ document_id }) => !except.has(document_id))
  const rows = listed.slice(first, first + query.limit)
  const terms = found.weights.map(([term]) => term)
  const data = await presentRows(actor, rows, terms, signal)
  const without = found.listed.length === 0 ? await countWithout(actor, asked, embedded, signal) : []
  const { words_only } = await embedded
  return {
    data,
    count: found.count,
    counts: found.counts,
    listed: listed.length,
    not_vectorized,
    words_only: found.hasIndex ? words_only : 'index',
    without,
  }
}

/**
 * Returns the ids of papers that a search by meaning does not find, because they have no vectors of the current model. Omits
 * papers that the caller may not vectorize. Returns at most PROCESS_MAX ids, newest paper first. `vectorized` is the number of
 * papers of the scope that a search by meaning finds. Also counts the papers with a text and the retracted papers.
 */
export const listNotSearchedByMeaning = (actor: Actor, query: SearchScopeQuery): Promise<NotVectorized> =>
  asActor(actor, async (tx) => {
    const scope = await scopeOf(tx, actor, query)
    const { model, hasVectors } = embeddingModel()
    const data = await listNotVectorized(tx, scope, model, PROCESS_MAX)
    const vectorized = hasVectors ? await countVectorized(tx, scope, model) : 0
    return { data, count: data.length, vectorized, ...(await countReadable(tx, scope)) }
  })

/** Returns the values by which a search can be filtered. Throws 'not_found' for a project that the caller cannot read. */
export const listSearchFilters = (actor: Actor, query: SearchScopeQuery): Promise<SearchFilters> =>
  asActor(actor, async (tx) => {
    const scope = await scopeOf(tx, actor, query)
    return { ...(await listLevelsAndTags(tx, inScope(scope, 'documents'))), types: await listTypes(tx, scope) }
  })

/** Returns the documents that a search covers. Throws 'not_found' for a project without the right to read it. */
async function scopeOf(tx: Tx, actor: Actor, { scope, project_id }: SearchScopeQuery): Promise<Scope> {
  const chosen = scope ?? (project_id ? 'project' : 'all')
  if (chosen !== 'project')
    return { projects: await listProjects(tx, chosen), unassignedOf: chosen === 'shared' ? null : actor.userId }
  if (!project_id) throw new AppError('refused', 'A search of one project needs project_id.')
  await checkProject(tx, project_id, 'read')
  return { projects: [project_id], unassignedOf: null }
}

async function presentRows(
  actor: Actor,
  rows: readonly Listed[],
  terms: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LibrarySearch['data']> {
  if (rows.length === 0) return []
  const passages = await asActor(actor, (tx) => readPassages(tx, rows))
  const byPlace = new Map(passages.map((one) => [`${one.document_id} ${one.position}`, one]))
  const known = rows.flatMap((row) => {
    const passage = byPlace.get(`${row.document_id} ${row.position}`)
    return passage ? [{ row, passage }] : []
  })
  const texts = known.map(({ passage }) => passage.content)
  const marked = await markTerms({ person: actor.userId, signal }, { terms, texts })
  return known.map(({ row, passage }, index) => presentHit(row, passage, marked[index]!))
}

/**
 * Returns for each filter of a search the number of results without this filter, most results first. Omits a filter if the
 * search has no results without it either.
 */
async function countWithout(
  actor: Actor,
  asked: Asked,
  embedded: ReturnType<typeof vectorOf>,
  signal: AbortSignal | undefined,
): Promise<LibrarySearch['without']> {
  const counts: LibrarySearch['without'] = []
  for (const filter of SEARCH_FILTERS.filter((one) => asked.used.has(one))) {
    const { count } = await findListed(actor, withoutFilter(asked, filter), embedded, signal)
    if (count !== 0) counts.push({ filter, count })
  }
  const size = (count: SearchCount) => (typeof count === 'number' ? count : count.at_least + 1)
  return counts.sort((a, b) => size(b.count) - size(a.count))
}

function withoutFilter(asked: Asked, filter: SearchFilter): Asked {
  const { query, parsed, covered } = asked
  const cleared = {
    tag: { tag: [] },
    year: { year_from: undefined, year_to: undefined },
    evidence_level: { evidence_level: [] },
    type: { type: [] },
    has_file: { has_file: undefined },
    query: {},
  }[filter]
  const free = filter === 'query' ? { ...parsed, required: [], excluded: [] } : parsed
  return planSearch({ ...query, ...cleared }, free, covered.scope)
}
