import { embeddingModel, embedTexts } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor, database, type Tx } from '#server/db/client.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { AppError } from '#server/lib/errors.ts'
import { EXACT_CHUNKS } from '#server/retrieval/index.ts'
import { rankPassages } from '#server/texts/index.ts'
import { type LibrarySearch, MOST_COUNTED, type SearchCount } from '#shared/contract/library-search.ts'
import { findByCodes } from './code-pool.ts'
import { CANDIDATES, type Listed, listPapers, listPassages } from './list-results.ts'
import { isOtherLanguage } from './other-language.ts'
import { readCandidates } from './passage-queries.ts'
import type { Asked } from './plan-search.ts'
import { countTermChunks, findByWords, findFirstPassages, readTotals, type WordHits } from './queries.ts'
import { packCovered, type Place } from './scope-queries.ts'
import { findByVector, hasVectorIndex, type SearchVector } from './vector-queries.ts'

/** Maximum number of passages that the search by words reads. It reads those of the rarest terms. */
const MOST_POSTINGS = 25_000
/** In a scope with more papers, the search reads only a part of them if its terms are in more than MOST_POSTINGS passages. */
const MOST_PAPERS_READ = 5_000
/** An exact scan of this many chunks answers in time while the index of vectors is not built. */
const MOST_SCANNED = 30_000
/** Weight of words (docs/decisions/0034-search-over-passages.md). */
const WORD_WEIGHT = 0.8
/** Least cosine of a passage without words of the search: of the built-in model, and of others. */
const LEAST_MEANING = 0.3
const LEAST_MEANING_OF_OTHERS = 0.2

/**
 * Returns the vector of a search; null, with the reason, where words only are searched. A search with the model of a provider
 * costs tokens, so a key needs the scope ask for it, and it counts as a request to the model, unless it is `part` of a request
 * for a project that counts already.
 */
export async function vectorOf(
  actor: Actor,
  { parsed, query }: Asked,
  signal: AbortSignal | undefined,
  part?: { projectId: string },
): Promise<{ vector: SearchVector | null; words_only: LibrarySearch['words_only'] }> {
  const { hasVectors, isFree, isBuiltIn } = embeddingModel()
  const { key } = actor
  if (parsed.text === '' || query.meaning === 'false') return { vector: null, words_only: null }
  if (!hasVectors) return { vector: null, words_only: 'model' }
  if (isBuiltIn && isOtherLanguage(parsed.text)) return { vector: null, words_only: 'language' }
  if (!isFree && key?.scopes.includes('ask') === false) return { vector: null, words_only: 'unavailable' }
  try {
    if (!isFree && !part) await countRequest(key ? 'key-ask' : 'ai', { person: key?.id ?? actor.userId })
    const context = { userId: actor.userId, purpose: 'embedding' as const, ...part, ...(signal ? { signal } : {}) }
    const { model, vectors } = await embedTexts([parsed.text], context, { isQuery: true })
    return { vector: { model, vector: vectors[0]! }, words_only: null }
  } catch (error) {
    // The words are searched without the provider.
    if (error instanceof AppError && WITHOUT_PROVIDER.has(error.code))
      return { vector: null, words_only: 'unavailable' }
    throw error
  }
}

const WITHOUT_PROVIDER = new Set(['outside_failed', 'outside_slow', 'over_budget', 'too_many', 'not_configured'])

interface Found {
  listed: Listed[]
  count: SearchCount
  /** The terms of the search with their IDF. */
  weights: readonly (readonly [string, number])[]
  hasIndex: boolean
}

/** Searches by words and meaning at the same time. Returns all results in order, with their number. */
export async function findListed(
  actor: Actor,
  asked: Asked,
  embedded: Promise<{ vector: SearchVector | null }>,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const byVector = async ({ vector }: { vector: SearchVector | null }) => ({
    vector,
    nearest: vector ? await findNearest(actor, asked, vector) : [],
  })
  const [{ weights, words }, { vector, nearest }] = await Promise.all([
    asActor(actor, (tx) => findWords(tx, asked)),
    embedded.then(byVector),
  ])
  const ranked = await rank(actor, asked, { words, weights, vector, nearest: nearest ?? [] }, signal)
  const known = new Set(words.hits.map(([id, position]) => `${id} ${position}`))
  const byMeaning = ranked.filter(({ document_id, position }) => !known.has(`${document_id} ${position}`))
  const papersOfWords = new Set(words.hits.map(([id]) => id))
  const newPapers = new Set(
    byMeaning.flatMap(({ document_id }) => (papersOfWords.has(document_id) ? [] : [document_id])),
  )
  const isPapers = asked.query.kind === 'papers'
  const total = isPapers ? words.papers + newPapers.size : words.passages + byMeaning.length
  return {
    listed: isPapers ? listPapers(ranked, words.hits) : listPassages(ranked, words.hits, asked.mostOfPaper),
    count: total > MOST_COUNTED ? { at_least: MOST_COUNTED } : total,
    weights,
    hasIndex: nearest !== null,
  }
}

async function findWords(tx: Tx, asked: Asked) {
  const totals = await readTotals(tx, asked.covered)
  const all = searchTerms(asked.parsed.text)
  if (all.length === 0) {
    const words: WordHits =
      asked.parsed.text === ''
        ? await findFirstPassages(tx, asked.covered, MOST_COUNTED)
        : { passages: 0, papers: 0, hits: [] }
    return { weights: [], words }
  }
  const { documents } = totals
  const counts = await countTermChunks(tx, asked.covered.scope, { terms: [...new Set(all)], documents })
  const weights = [...new Set(all)].map((term) => [term, idf(totals.chunks, counts.get(term) ?? 0)] as const)
  const read = rarest(weights, counts, asked.neededTerms)
  const passages = read.reduce((sum, [term]) => sum + (counts.get(term) ?? 0), 0)
  // A filter or a phrase may leave few passages: then all papers are read.
  const isPart = documents > MOST_PAPERS_READ && asked.covered.filter === null && !hasConditions(asked.conditions)
  const words = await findByWords(tx, asked.covered, {
    weights: read,
    meanLength: totals.mean_length || 1,
    conditions: asked.conditions,
    share: isPart ? Math.min(1, MOST_POSTINGS / passages) : 1,
    limit: MOST_COUNTED,
  })
  return { weights, words }
}

/** The inverse document frequency of BM25, never negative. */
const idf = (chunks: number, n: number) => Math.log(1 + (Math.max(chunks, n) - n + 0.5) / (n + 0.5))

const hasConditions = ({ required, excludedTerms, excludedExpressions }: Asked['conditions']) =>
  required.length + excludedTerms.length + excludedExpressions.length > 0

/** Returns the rarest terms up to the limit of passages, at least one, and those that a phrase needs. */
function rarest<T extends readonly [string, number]>(
  weights: readonly T[],
  counts: ReadonlyMap<string, number>,
  needed: ReadonlySet<string>,
): T[] {
  let sum = 0
  return weights
    .toSorted((a, b) => b[1] - a[1])
    .filter(([term], index) => {
      sum += counts.get(term) ?? 0
      return index === 0 || sum <= MOST_POSTINGS || needed.has(term)
    })
}

/** Returns the passages nearest to the vector; null while their index is not built. */
async function findNearest(actor: Actor, { covered }: Asked, vector: SearchVector): Promise<Place[] | null> {
  if (database().embedded) {
    const documents = await asActor(actor, (tx) => packCovered(tx, covered))
    const scope = { ...covered.scope, documents }
    return findByCodes(actor.userId, { ...vector, scope, limit: CANDIDATES })
  }
  return asActor(actor, async (tx) => {
    const { covered: chunks } = await readTotals(tx, covered)
    if (chunks <= EXACT_CHUNKS) return findByVector(tx, covered, { ...vector, isExact: true, limit: CANDIDATES })
    const isBuilt = await hasVectorIndex(tx, vector)
    if (!isBuilt && chunks > MOST_SCANNED) return null
    const found = await findByVector(tx, covered, { ...vector, isExact: !isBuilt, limit: CANDIDATES })
    // A filter may leave fewer passages within the limit of the scan than there are.
    const isShort = found.length < CANDIDATES && isBuilt && chunks <= MOST_SCANNED
    return isShort ? findByVector(tx, covered, { ...vector, isExact: true, limit: CANDIDATES }) : found
  })
}

async function rank(
  actor: Actor,
  asked: Asked,
  found: {
    words: WordHits
    weights: readonly (readonly [string, number])[]
    vector: SearchVector | null
    nearest: readonly Place[]
  },
  signal: AbortSignal | undefined,
) {
  const { words, weights, vector, nearest } = found
  // A search for conditions on papers only has no scores.
  if (asked.parsed.text === '') return []
  const places = new Map<string, Place>()
  for (const [document_id, position] of words.hits.slice(0, CANDIDATES))
    places.set(`${document_id} ${position}`, { document_id, position })
  for (const place of nearest) places.set(`${place.document_id} ${place.position}`, place)
  if (places.size === 0) return []
  const candidates = await asActor(actor, (tx) =>
    readCandidates(tx, [...places.values()], { vector, conditions: asked.conditions }),
  )
  return rankPassages(
    { person: actor.userId, signal },
    {
      candidates,
      words: new Map(words.hits.map(([id, position, score]) => [`${id} ${position}`, score])),
      terms: weights,
      wordWeight: WORD_WEIGHT,
      leastMeaning: embeddingModel().isBuiltIn ? LEAST_MEANING : LEAST_MEANING_OF_OTHERS,
    },
  )
}
