import { isDependent, isFinding, isGuide, isObjective } from './sentence-cues.ts'
import type { Move, Statement } from './statements.ts'
import { centrality, chooseDiverse, cosine, sentenceVectors } from './textrank.ts'

const MOST_SENTENCES = 6
/**
 * Added to the score of a sentence of an abstract by the part of the abstract that it belongs to, so that a summary prefers
 * aim, results and conclusion.
 */
const WANTED: Record<Move, number> = { background: 0, objective: 0.6, methods: 0.3, results: 0.55, conclusion: 0.6 }
const MOST_COMPARED = 300
/** Sections with sentences that can represent the whole paper. */
export const ARGUMENT: ReadonlySet<Statement['role']> = new Set([
  'abstract',
  'introduction',
  'body',
  'results',
  'discussion',
  'conclusion',
])
/**
 * Maximum number of sentences of an abstract in which no results and conclusion are recognized. A longer text is a section
 * 'Summary' of the whole paper.
 */
const LONG_ABSTRACT = 14

/**
 * Summarizes a paper in up to six of its sentences, in the order of the paper. An abstract of two to six sentences is returned
 * completely. From a longer abstract, chooses sentences about aim, methods, findings and conclusion that are similar to many
 * others (centrality by LexRank). Without a usable abstract, chooses up to five central sentences of the sections in ARGUMENT,
 * with preference for sentences that are similar to the title or near the beginning.
 */
export function summarise(
  statements: readonly Statement[],
  title: string | null,
  stopwords: ReadonlySet<string>,
): Statement[] {
  const abstract = statements.filter((one) => one.role === 'abstract')
  if (abstract.length >= 2 && abstract.length <= MOST_SENTENCES) return abstract
  const moves = new Set(abstract.map((one) => one.move))
  const isStructured = moves.has('results') && moves.has('conclusion')
  if (abstract.length > MOST_SENTENCES && (isStructured || abstract.length <= LONG_ABSTRACT))
    return fromAbstract(abstract, title, stopwords)
  const argument = statements.filter((one) => ARGUMENT.has(one.role) && !isGuide(one.text))
  const candidates = spread(argument, MOST_COMPARED)
  const [titleVector, ...vectors] = sentenceVectors([title ?? '', ...candidates.map((one) => one.text)], stopwords)
  const central = centrality(vectors)
  const scores = candidates.map(
    (one, at) =>
      central[at]! * 0.6 +
      cosine(titleVector!, vectors[at]!) +
      (one.role === 'abstract' ? 0.3 : one.role === 'conclusion' ? 0.2 : 0) +
      (isObjective(one.text) || isDefinition(one.text, title) ? 0.5 : 0) +
      (at < 3 ? 0.4 : at < 8 ? 0.2 : 0) -
      (isDependent(one.text) ? 0.3 : 0) -
      (one.text.length > 320 ? 0.25 : 0),
  )
  return inOrder(chooseDiverse(scores, vectors, MOST_SENTENCES - 1).map((at) => candidates[at]!))
}

function fromAbstract(
  abstract: readonly Statement[],
  title: string | null,
  stopwords: ReadonlySet<string>,
): Statement[] {
  const [titleVector, ...vectors] = sentenceVectors([title ?? '', ...abstract.map((one) => one.text)], stopwords)
  const central = centrality(vectors)
  const scores = abstract.map(
    (one, at) =>
      central[at]! * 0.4 +
      cosine(titleVector!, vectors[at]!) * 0.4 +
      WANTED[one.move ?? 'background'] +
      (isFinding(one.text) ? 0.2 : 0) +
      (isDefinition(one.text, title) ? 0.6 : 0) -
      (isDependent(one.text) ? 0.15 : 0) -
      (isInfinitive(one.text) ? 0.7 : 0) -
      (/\((?:see )?fig|\bfigure \d/i.test(one.text) ? 0.3 : 0) -
      (/^(?:in (?:the )?)?future (?:work|research)/i.test(one.text) ? 1 : 0),
  )
  // One sentence per part first, so that the summary has a beginning and an end; the rest by score.
  const aim = bestOf(
    scores,
    (at) =>
      !isInfinitive(abstract[at]!.text) && (isObjective(abstract[at]!.text) || abstract[at]!.move === 'objective'),
  )
  const firsts = (['methods', 'results', 'conclusion'] as const).map((move) =>
    bestOf(scores, (at) => abstract[at]!.move === move),
  )
  const wanted = [...new Set([aim, ...firsts])].filter((at) => at >= 0)
  const others = chooseDiverse(scores, vectors, abstract.length).filter((at) => !wanted.includes(at))
  return inOrder([...wanted, ...others].slice(0, MOST_SENTENCES).map((at) => abstract[at]!))
}

/** Returns whether a text is an aim without a main clause: 'To find out whether …'. */
const isInfinitive = (text: string) => /^To \p{Ll}+ [^,]*$/u.test(text)

/** Returns whether the sentence defines a name in the title, as 'SNIK is a …' does. */
export function isDefinition(text: string, title: string | null): boolean {
  const found =
    /^(?:The )?(\p{Lu}[\p{L}\p{N}-]+(?: \p{Lu}[\p{L}\p{N}-]+){0,4})(?: \([^)]{0,120}\)+\)?)? (?:(?:is|was|are|were) (?:an?|the|one|designed)|provides?|offers?|aims?|helps?|consists?)\b/u.exec(
      text,
    )
  return Boolean(found && title?.includes(found[1]!))
}

function bestOf(scores: readonly number[], isWanted: (at: number) => boolean): number {
  return scores.reduce((best, score, at) => (isWanted(at) && (best < 0 || score > scores[best]!) ? at : best), -1)
}

const inOrder = (statements: Statement[]) => statements.toSorted((a, b) => a.order - b.order)

/** Returns at most `most` elements of a list, taken at equal distances. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]!)
}
