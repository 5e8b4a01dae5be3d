import type { Move, Statement } from './statements.ts'
import { isDependent, isGuide, isObjective } from './sentence-cues.ts'
import { centrality, chooseDiverse, sentenceVectors } from './textrank.ts'

const MOST_SENTENCES = 5
/** How much each part of an abstract is wanted in a summary. */
const WANTED: Record<Move, number> = { background: 0, objective: 0.5, methods: 0.25, results: 0.6, conclusion: 0.6 }
const MOST_COMPARED = 300

/**
 * Up to five sentences in the paper's order: its abstract when that is short, else the abstract's aim, method, findings
 * and conclusion by centrality (LexRank); without an abstract the most central sentences of the argument.
 */
export function summarise(statements: readonly Statement[], stopwords: ReadonlySet<string>): Statement[] {
  const abstract = statements.filter((one) => one.role === 'abstract')
  if (abstract.length >= 2 && abstract.length <= MOST_SENTENCES) return abstract
  if (abstract.length > MOST_SENTENCES) return fromAbstract(abstract, stopwords)
  const argument = statements.filter(
    (one) =>
      ['abstract', 'introduction', 'body', 'results', 'discussion', 'conclusion'].includes(one.role) &&
      !isGuide(one.text),
  )
  const candidates = spread(argument, MOST_COMPARED)
  const vectors = sentenceVectors(
    candidates.map((one) => one.text),
    stopwords,
  )
  const central = centrality(vectors)
  const scores = candidates.map(
    (one, at) =>
      central[at]! +
      (one.role === 'abstract' ? 0.8 : 0) +
      (one.role === 'conclusion' ? 0.3 : 0) +
      (isObjective(one.text) ? 0.4 : 0) +
      (at < 5 ? 0.3 : 0) -
      (isDependent(one.text) ? 0.3 : 0),
  )
  return inOrder(chooseDiverse(scores, vectors, MOST_SENTENCES).map((at) => candidates[at]!))
}

function fromAbstract(abstract: readonly Statement[], stopwords: ReadonlySet<string>): Statement[] {
  const vectors = sentenceVectors(
    abstract.map((one) => one.text),
    stopwords,
  )
  const central = centrality(vectors)
  const scores = abstract.map(
    (one, at) => central[at]! * 0.6 + WANTED[one.move ?? 'background'] - (isDependent(one.text) ? 0.25 : 0),
  )
  // One sentence for each part first, so that the summary has a beginning and an end; the rest by score.
  const firsts = (['objective', 'methods', 'results', 'conclusion'] as const)
    .map((move) => bestOf(scores, (at) => abstract[at]!.move === move))
    .filter((at) => at >= 0)
  const others = chooseDiverse(scores, vectors, abstract.length).filter((at) => !firsts.includes(at))
  return inOrder([...firsts, ...others].slice(0, MOST_SENTENCES).map((at) => abstract[at]!))
}

function bestOf(scores: readonly number[], isWanted: (at: number) => boolean): number {
  return scores.reduce((best, score, at) => (isWanted(at) && (best < 0 || score > scores[best]!) ? at : best), -1)
}

const inOrder = (statements: Statement[]) => statements.toSorted((a, b) => a.order - b.order)

/** Evenly taken, when there are more than can be compared pairwise. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]!)
}
