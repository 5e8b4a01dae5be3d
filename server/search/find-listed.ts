import { embeddingModel } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor, database } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { EXACT_CHUNKS } from '#server/retrieval/index.ts'
import { rankPassages, type StoredCandidates } from '#server/texts/index.ts'
import { type LibrarySearch, MOST_COUNTED, type SearchCount } from '#shared/contract/library-search.ts'
import { findByCodes, refreshCodes } from './code-pool.ts'
import { findWords } from './find-words.ts'
import { type Listed, listResults } from './list-results.ts'
import { isOtherLanguage } from './other-language.ts'
import { readCandidates } from './passage-queries.ts'
import type { Asked } from './plan-search.ts'
import type { Totals, WordHits } from './queries.ts'
import { readRecentTotals } from './recent-totals.ts'
import { searchVector } from './recent-vectors.ts'
import { packCovered, packDeleted, type Place, placeKey } from './scope-queries.ts'
import { findByVector, useVectorIndex, type SearchVector } from './vector-queries.ts'

/** Maximum number of candidates of each list (by words and by meaning) that are ranked together. */
const CANDIDATES = 200
/**
 * Maximum number of chunks whose vectors are all compared with the vector of a search while the HNSW index is not built. More
 * would take too long.
 */
const MOST_SCANNED = 30_000
/** Weight of the BM25 score of a passage relative to its meaning score (docs/decisions/0034-search-over-passages.md). */
const WORD_WEIGHT = 0.8
/**
 * Minimum cosine of a passage that has no words of the search: for the built-in model (LEAST_MEANING) and for other models
 * (LEAST_MEANING_OF_OTHERS).
 */
const LEAST_MEANING = 0.3
const LEAST_MEANING_OF_OTHERS = 0.2

/**
 * Returns the vector of a search; null if the search uses only words. `words_only` is the reason why a search that should use a
 * vector has none; otherwise it is null, also if the search has no text or the caller chose words only. The model of a provider
 * costs tokens: an API key needs the scope 'ask' for it, and the search counts towards the limit of requests to models. Set
 * `part` if the search is a step of a request about the project `projectId` that was already counted.
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
  if (!isFree && key?.scopes.includes('ask') === false) return { vector: null, words_only: 'key' }
  try {
    if (!isFree && !part) {
      if (key) await countRequest('key-ask', { person: key.id })
      await countRequest('ai', { person: actor.userId })
    }
    const context = { userId: actor.userId, purpose: 'embedding' as const, ...part, ...(signal ? { signal } : {}) }
    return { vector: await searchVector(parsed.text, context), words_only: null }
  } catch (error) {
    // The words are searched without the provider.
    const words_only = error instanceof AppError ? WITHOUT_PROVIDER[error.code] : undefined
    if (words_only) return { vector: null, words_only }
    throw error
  }
}

/** The reasons why the embedding model was not used, by the code of the error. */
const WITHOUT_PROVIDER: Partial<Record<ErrorCode, LibrarySearch['words_only']>> = {
  outside_failed: 'unavailable',
  outside_slow: 'unavailable',
  over_budget: 'budget',
  too_many: 'limit',
  not_configured: 'model',
}

interface Found {
  listed: Listed[]
  count: SearchCount
  counts: LibrarySearch['counts']
  /** The terms of the search with their IDF. */
  weights: readonly (readonly [string, number])[]
  hasIndex: boolean
}

/** The passages that a search found by words and by meaning, with the data for their ranking. */
interface Candidates extends Pick<Found, 'weights' | 'hasIndex'> {
  words: WordHits
  /** The BM25 score of each passage in `stored`. The key is 'document position'. */
  scores: ReadonlyMap<string, number>
  /** The data of the passages to rank; null if the search has no text to rank by, or found nothing. */
  stored: StoredCandidates | null
}

/**
 * Searches by words and by meaning (vectors) at the same time. Returns all results, best first, with their number. `embedded`
 * is the result of `vectorOf`.
 */
export async function findListed(
  actor: Actor,
  asked: Asked,
  embedded: Promise<{ vector: SearchVector | null }>,
  signal: AbortSignal | undefined,
): Promise<Found> {
  return rankCandidates(actor, asked, await findCandidates(actor, asked, embedded, signal), signal)
}

/**
 * First step of `findListed`: finds the candidates by words and by meaning in the database. `embedded` is the result of
 * `vectorOf`.
 */
export async function findCandidates(
  actor: Actor,
  asked: Asked,
  embedded: Promise<{ vector: SearchVector | null }>,
  signal: AbortSignal | undefined,
): Promise<Candidates> {
  // Runs while the search text is embedded.
  const refreshed = database().embedded ? refreshCodes() : null
  const totals = readRecentTotals(actor, asked.covered)
  const byVector = async () => {
    const { vector } = await embedded
    if (!vector) return { vector, nearest: [] }
    return { vector, nearest: await findNearest(actor, asked, vector, { totals, refreshed }) }
  }
  const [{ weights, words }, { vector, nearest }] = await Promise.all([
    totals.then((all) => findWords(actor, asked, all, signal)),
    byVector(),
  ])
  const places = new Map<string, Place>()
  for (const [document_id, position] of words.hits.slice(0, CANDIDATES))
    places.set(`${document_id} ${position}`, { document_id, position })
  for (const place of nearest ?? []) places.set(`${place.document_id} ${place.position}`, place)
  const scores = new Map<string, number>()
  for (const [document_id, position, score] of words.hits) {
    const key = `${document_id} ${position}`
    if (places.has(key)) scores.set(key, score)
  }
  // A search for conditions on papers only has no scores.
  const isRanked = asked.parsed.text !== '' && places.size > 0
  const { conditions } = asked
  const stored = isRanked
    ? await asActor(actor, (tx) => readCandidates(tx, [...places.values()], { vector, conditions }))
    : null
  return { weights, words, hasIndex: nearest !== null, scores, stored }
}

/**
 * Second step of `findListed`: ranks the candidates of the first step, best first, and counts the results. Does not query the
 * database.
 */
export async function rankCandidates(
  actor: Actor,
  asked: Asked,
  { weights, words, hasIndex, scores, stored }: Candidates,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const options = {
    words: scores,
    terms: weights,
    wordWeight: WORD_WEIGHT,
    leastMeaning: embeddingModel().isBuiltIn ? LEAST_MEANING : LEAST_MEANING_OF_OTHERS,
  }
  const ranked = stored ? await rankPassages({ person: actor.userId, signal }, { candidates: stored, ...options }) : []
  const byMeaning = ranked.filter((one) => !scores.has(placeKey(one)))
  const copies = ranked.filter(({ isCopy }) => isCopy)
  const papersOfWords = new Set(words.hits.map(([id]) => id))
  const newPapers = new Set(
    byMeaning.flatMap(({ document_id }) => (papersOfWords.has(document_id) ? [] : [document_id])),
  )
  const { kind, more_of } = asked.query
  const listed = listResults(asked, ranked, words.hits)
  const counts = {
    passages: countOf(words.passages + byMeaning.length - copies.length),
    papers: countOf(words.papers + newPapers.size),
  }
  return {
    listed,
    count: more_of ? listed.length : counts[kind],
    counts,
    weights,
    hasIndex,
  }
}

const countOf = (total: number): SearchCount => (total > MOST_COUNTED ? { at_least: MOST_COUNTED } : total)

/**
 * Returns the passages nearest to the vector; null if the vector index is not built yet and there are too many passages to
 * compare all of them.
 */
async function findNearest(
  actor: Actor,
  { covered }: Asked,
  vector: SearchVector,
  { totals, refreshed }: { totals: Promise<Totals>; refreshed: ReturnType<typeof refreshCodes> | null },
): Promise<Place[] | null> {
  if (refreshed) {
    // The codes of soft-deleted papers stay in memory, and would take the places of passages that can be shown.
    const [documents, omitted] = await asActor(actor, async (tx) =>
      covered.filter === null
        ? [null, await withOwnerRole(tx, () => packDeleted(tx, covered.scope))]
        : [await packCovered(tx, covered), new Uint8Array()],
    )
    const scope = { ...covered.scope, documents, omitted }
    return findByCodes(actor.userId, { ...vector, scope, limit: CANDIDATES }, refreshed)
  }
  const { covered: chunks } = await totals
  return asActor(actor, async (tx) => {
    if (chunks <= EXACT_CHUNKS) return findByVector(tx, covered, { ...vector, isExact: true, limit: CANDIDATES })
    const isBuilt = await useVectorIndex(tx, vector)
    if (!isBuilt && chunks > MOST_SCANNED) return null
    const found = await findByVector(tx, covered, { ...vector, isExact: !isBuilt, limit: CANDIDATES })
    // A filter may leave fewer passages within the limit of the scan than there are.
    const isShort = found.length < CANDIDATES && isBuilt && chunks <= MOST_SCANNED
    return isShort ? findByVector(tx, covered, { ...vector, isExact: true, limit: CANDIDATES }) : found
  })
}
