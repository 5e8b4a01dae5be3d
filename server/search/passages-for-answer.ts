import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import type { DesignQuestion } from '#server/language/design-question.ts'
import type { PaperPart } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { type RankedPassage, rankPassages } from '#server/texts/index.ts'
import type { AnswerScope } from '#shared/contract/conversations.ts'
import { type LibrarySearch, librarySearchQuery } from '#shared/contract/library-search.ts'
import { listKnownTerms, measureCovered, scopeFilter } from './answer-queries.ts'
import { findListed, vectorOf } from './find-listed.ts'
import { atMost, type Listed } from './list-results.ts'
import { findDesignPlaces, findPartPlaces } from './part-passages.ts'
import { type PassageRow, readCandidates, readPassages } from './passage-queries.ts'
import type { Asked } from './plan-search.ts'
import { type Covered, placeKey } from './scope-queries.ts'
import type { SearchVector } from './vector-queries.ts'

/** A minimum cosine that excludes no passage. */
const NO_MINIMUM = -2
/**
 * For a question about a part of the papers and a subject, papers whose score is below this share of the highest score are
 * omitted.
 */
const NEAR_SUBJECT = 0.6
/** Maximum number of passages of one paper among the passages for an answer. */
const PASSAGES_OF_PAPER = 5

/** The papers of a project that a question is answered from. */
export interface PaperScope {
  projectId: string
  scope: AnswerScope
  leaveOutRetracted: boolean
}

/** A passage for an answer. `best` has the offsets of its best sentence in `content`. Page 0 has the title and the abstract. */
export interface AnswerPassage extends PassageRow {
  score: number
  matched: 'words' | 'meaning' | 'both'
  best: { start: number; end: number }
  /**
   * The sentences of the passage that have vectors: their offsets in the text of the page, and their cosine to the question.
   */
  sentences: { start: number; end: number; similarity: number }[]
}

/** The number of papers from which a question is answered (the scope), and of retracted papers that are left out. */
export interface ScopeSize {
  /** Number of papers, without the retracted papers that are left out. */
  papers: number
  retracted_left_out: number
  /** Whether at least one of the papers has a text or an abstract. */
  hasText: boolean
}

export interface FoundPassages {
  /** The passages of the part that the question asks for, then the other passages; each group with the best passage first. */
  passages: AnswerPassage[]
  /** The IDF of each term of the question among the passages of the project. */
  weights: readonly (readonly [term: string, idf: number])[]
  words_only: LibrarySearch['words_only']
}

/**
 * Counts the papers from which a question is answered (the scope). Does not check whether the caller may read the project; the
 * caller of this function must do so.
 */
export const measureScope = (actor: Actor, of: PaperScope): Promise<ScopeSize> =>
  asActor(
    actor,
    async (tx) => {
      const { all, covered } = coveredBy(of)
      const { papers, hasText } = await measureCovered(tx, covered)
      const retracted_left_out = of.leaveOutRetracted ? (await measureCovered(tx, all)).papers - papers : 0
      return { papers, hasText, retracted_left_out }
    },
    of.projectId,
  )

/** The part of the papers (such as the methods or limitations), or the study design, that a question asks for. */
export interface AskedPart {
  /** A part, or the design of the study. */
  part: PaperPart | DesignQuestion
  /** Whether the question also has a subject. If it has, only papers near this subject are read. */
  hasSubject: boolean
}

interface FindOptions {
  limit: number
  part?: AskedPart | null
  signal?: AbortSignal
}

/**
 * Finds the passages that fit a question best, by words and meaning, in the papers from which the question is answered (the
 * scope). If the question asks for a part of the papers, the passages of the part come first. Does not check the right in the
 * project; the caller of this function must do so. Row-level security hides other papers.
 */
export async function findPassagesFor(
  actor: Actor,
  { text, ...of }: PaperScope & { text: string },
  { limit, part = null, signal }: FindOptions,
): Promise<FoundPassages> {
  const asked = askedFor(of, text, coveredBy(of).covered)
  const embedded = vectorOf(actor, asked, signal, { projectId: of.projectId })
  const { listed, weights, hasIndex } = await findListed(actor, asked, embedded, signal)
  const found = listed.filter(({ best }) => best !== null)
  const ofPart = part ? await rankPart(actor, asked, { part, found, vector: (await embedded).vector }, signal) : []
  const keysOfPart = new Set(ofPart.map(placeKey))
  const others = found.filter((one) => !keysOfPart.has(placeKey(one)))
  const best = atMost(PASSAGES_OF_PAPER, [...ofPart, ...others]).slice(0, limit)
  const rows = await asActor(actor, (tx) => readPassages(tx, best))
  const byPlace = new Map(rows.map((row) => [placeKey(row), row]))
  const passages = best.flatMap((one) => {
    const row = byPlace.get(placeKey(one))
    const { score, matched, best, sentences } = one
    return row && best ? [{ ...row, score, matched, best, sentences }] : []
  })
  const { words_only } = await embedded
  return { passages, weights, words_only: hasIndex ? words_only : 'index' }
}

interface PartOptions {
  part: AskedPart
  /** The passages that the search found, best first. Their papers are read before other papers. */
  found: readonly Listed[]
  vector: SearchVector | null
}

/**
 * Returns the passages of the part that a question asks for, sorted by their cosine to the question. `score` is the score of
 * the paper in the search, or 0 if the search did not find the paper. `matched` is always 'meaning'.
 */
async function rankPart(
  actor: Actor,
  { covered, conditions, query }: Asked,
  { part: { part, hasSubject }, found, vector }: PartOptions,
  signal: AbortSignal | undefined,
): Promise<RankedPassage[]> {
  const scores = new Map<string, number>()
  for (const { document_id, score } of found) scores.set(document_id, Math.max(score, scores.get(document_id) ?? 0))
  const least = hasSubject ? NEAR_SUBJECT * Math.max(0, ...scores.values()) : 0
  const papers = [...scores].filter(([, score]) => score >= least).map(([id]) => id)
  const candidates = await asActor(
    actor,
    async (tx) => {
      const among = { papers, isComplete: hasSubject }
      const places =
        typeof part === 'string'
          ? await findPartPlaces(tx, covered, { part, ...among })
          : await findDesignPlaces(tx, covered, { design: part, ...among })
      return readCandidates(tx, places, { vector, conditions })
    },
    query.project_id,
  )
  const options = { words: new Map<string, number>(), terms: [], wordWeight: 0, leastMeaning: NO_MINIMUM }
  const ranked = await rankPassages({ person: actor.userId, signal }, { candidates, ...options })
  return ranked.flatMap((one) => (one.isCopy ? [] : [{ ...one, score: scores.get(one.document_id) ?? 0 }]))
}

/**
 * Returns those of `words` that occur in the papers of the scope, in any inflected form. Always returns words that have no
 * search term, such as function words.
 */
export async function findKnownWords(actor: Actor, of: PaperScope, words: readonly string[]): Promise<Set<string>> {
  const terms = words.map((word) => [word, searchTerms(word)] as const)
  const all = terms.flatMap(([, own]) => own)
  if (all.length === 0) return new Set(words)
  const known = await asActor(actor, (tx) => listKnownTerms(tx, coveredBy(of).covered, all), of.projectId)
  return new Set(terms.flatMap(([word, own]) => (own.every((term) => known.has(term)) ? [word] : [])))
}

function coveredBy({ projectId, scope, leaveOutRetracted }: PaperScope): { all: Covered; covered: Covered } {
  const ofProject = { projects: [projectId], unassignedOf: null }
  return {
    all: { scope: ofProject, filter: scopeFilter(scope, false) },
    covered: { scope: ofProject, filter: scopeFilter(scope, leaveOutRetracted) },
  }
}

/**
 * Returns a search for the text of a question, without conditions: quotation marks and colons in a question are ordinary text.
 */
const askedFor = ({ projectId }: PaperScope, text: string, covered: Covered): Asked => ({
  query: librarySearchQuery.parse({ q: '', project_id: projectId }),
  parsed: { text, required: [], excluded: [] },
  covered,
  conditions: { required: [], excludedTerms: [], excludedExpressions: [] },
  alternatives: null,
  neededTerms: new Set(),
  mostOfPaper: PASSAGES_OF_PAPER,
  used: new Set(),
})
