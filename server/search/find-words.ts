import { createHash } from 'node:crypto'
import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { scorePassages } from '#server/texts/index.ts'
import { MOST_COUNTED } from '#shared/contract/library-search.ts'
import type { Asked } from './plan-search.ts'
import {
  countTermChunks,
  filterHits,
  findFirstPassages,
  findMatchingPassages,
  readPostings,
  type Totals,
  type WordHits,
} from './queries.ts'

/** Limit of the number of passages that a search by words reads. It reads the passages of its rarest terms first. */
const MOST_POSTINGS = 25_000
/**
 * In a scope with more than this number of papers, a search reads only a part of the papers if its rarest term is in more than
 * MOST_POSTINGS passages. The words of the search determine this part, so that different searches omit different papers.
 */
const MOST_PAPERS_READ = 5_000

/** The score of a passage that has no word of the search. The ranking omits passages with the score 0. */
const LEAST_SCORE = 1e-6

/** Finds the passages that have words of the search, best first by BM25. Returns them with the IDF of each term. */
export async function findWords(
  actor: Actor,
  asked: Asked,
  totals: Totals,
  signal: AbortSignal | undefined,
): Promise<{ weights: (readonly [string, number])[]; words: WordHits }> {
  const { parsed, covered, conditions } = asked
  const terms = [...new Set(searchTerms(parsed.text))]
  if (terms.length === 0) return { weights: [], words: await findWithoutTerms(actor, asked, totals) }
  const isConditional = hasConditions(conditions)
  const { weights, lists, share } = await asActor(actor, async (tx) => {
    const counts = await countTermChunks(tx, covered.scope, { terms, documents: totals.documents })
    const weights = terms.map((term) => [term, idf(totals.chunks, counts.get(term) ?? 0)] as const)
    const read = rarest(weights, counts, asked.neededTerms)
    const passages = read.reduce((sum, [term]) => sum + (counts.get(term) ?? 0), 0)
    // A filter or a phrase may leave few passages: then all papers are read.
    const isPart = totals.documents > MOST_PAPERS_READ && covered.filter === null && !isConditional
    const share = isPart ? Math.min(1, MOST_POSTINGS / passages) : 1
    const rows = await readPostings(tx, covered, { terms: read.map(([term]) => term), share, first: placeOf(terms) })
    const byTerm = new Map(rows.map(({ term, postings }) => [term, postings]))
    return { weights, lists: read.map(([term, weight]) => ({ term, weight, postings: byTerm.get(term) ?? '' })), share }
  })
  const scored = await scorePassages(
    { person: actor.userId, signal },
    {
      lists,
      meanLength: totals.mean_length || 1,
      needed: neededTerms(conditions),
      limit: isConditional ? Infinity : MOST_COUNTED,
    },
  )
  if (!isConditional) {
    const { passages, papers, hits } = scored
    return { weights, words: { passages: Math.round(passages / share), papers: Math.round(papers / share), hits } }
  }
  const hits = await asActor(actor, async (tx) =>
    withAlternatives(tx, asked, await filterHits(tx, scored.hits, conditions)),
  )
  const papers = new Set(hits.map(([id]) => id)).size
  return { weights, words: { passages: hits.length, papers, hits: hits.slice(0, MOST_COUNTED) } }
}

/** Returns the hits and the first passages of other papers that match an alternative (see Asked), with the lowest score. */
async function withAlternatives(tx: Tx, asked: Asked, hits: WordHits['hits']): Promise<WordHits['hits']> {
  const { alternatives, conditions, covered } = asked
  if (alternatives === null) return hits
  const first = await findFirstPassages(tx, { ...covered, filter: alternatives }, MOST_COUNTED)
  const known = new Set(hits.map(([id]) => id))
  const others = await filterHits(
    tx,
    first.hits.filter(([id]) => !known.has(id)),
    conditions,
  )
  return [...hits, ...others.map(([id, position]): WordHits['hits'][0] => [id, position, LEAST_SCORE])]
}

/**
 * Finds the passages of a search without index terms: the first passage of each paper if the search has only conditions on
 * papers, and the passages that contain its phrases, such as "not at all". The index does not contain these words, so a search
 * that covers more than MOST_POSTINGS passages finds them by meaning only.
 */
async function findWithoutTerms(actor: Actor, asked: Asked, totals: Totals): Promise<WordHits> {
  const { parsed, covered, conditions } = asked
  if (parsed.text === '') return asActor(actor, (tx) => findFirstPassages(tx, covered, MOST_COUNTED))
  if (conditions.required.length === 0 || totals.covered > MOST_POSTINGS) return { passages: 0, papers: 0, hits: [] }
  // A condition on the paper alone does not make all of its passages results.
  const phrases = conditions.required.flat().filter((one) => 'expression' in one)
  const required = [...conditions.required, phrases]
  const hits = await asActor(actor, async (tx) => {
    const found = await findMatchingPassages(tx, covered, { ...conditions, required }, MOST_COUNTED)
    const scored = found.map(([id, position]): WordHits['hits'][0] => [id, position, LEAST_SCORE])
    return withAlternatives(tx, asked, scored)
  })
  return { passages: hits.length, papers: new Set(hits.map(([id]) => id)).size, hits: hits.slice(0, MOST_COUNTED) }
}

/** Returns a number from 0 to below 1 that depends on the terms only. */
const placeOf = (terms: readonly string[]): number =>
  createHash('sha256').update(terms.toSorted().join(' ')).digest().readUInt32BE() / 2 ** 32

/**
 * Returns the index terms of the required words and phrases: for each required group its alternatives, and for each alternative
 * its terms. Omits groups that contain another kind of condition. These terms exclude most passages before any text is read.
 */
const neededTerms = ({ required }: Asked['conditions']): string[][][] =>
  required.flatMap((group) => {
    const sets = group.flatMap((one) => ('terms' in one ? [one.terms] : []))
    return sets.length === group.length ? [sets] : []
  })

/** Returns the inverse document frequency (BM25) of a term that is in `n` of all `chunks`. The result is never negative. */
const idf = (chunks: number, n: number) => Math.log(1 + (Math.max(chunks, n) - n + 0.5) / (n + 0.5))

const hasConditions = ({ required, excludedTerms, excludedExpressions }: Asked['conditions']) =>
  required.length + excludedTerms.length + excludedExpressions.length > 0

/**
 * Returns the terms to search, rarest first: the rarest term, further terms while the sum of their passages is at most
 * MOST_POSTINGS, and all `needed` terms.
 */
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
