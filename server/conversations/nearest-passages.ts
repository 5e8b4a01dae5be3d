import type { Actor } from '#server/db/actor.ts'
import type { FoundEvidence } from '#server/evidence/index.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import type { AnswerPassage } from '#server/search/index.ts'
import { markTerms } from '#server/texts/index.ts'
import type { MatchOfPassage } from '#shared/contract/match-of-passage.ts'
import { findQuotes } from './verify-draft.ts'

/** Number of passages that a refusal shows. */
const NEAREST = 3

/**
 * The nearest passages: the best sentence of each as evidence (a quote found in the paper), and how each matched the question.
 * Both lists have the same order.
 */
export interface NearestPassages {
  quotes: FoundEvidence[]
  matches: MatchOfPassage[]
}

/**
 * Returns the best sentence of each of the NEAREST (3) nearest passages. Prefers passages of different papers. They are stored
 * with an answer that has no sentences.
 */
export async function nearestOf(
  actor: Actor,
  question: string,
  passages: readonly AnswerPassage[],
  signal: AbortSignal,
): Promise<NearestPassages> {
  const firsts = passages.filter(
    (one, at) => passages.findIndex(({ document_id }) => document_id === one.document_id) === at,
  )
  const nearest = [...firsts, ...passages.filter((one) => !firsts.includes(one))].slice(0, NEAREST)
  const found: { evidence: FoundEvidence; passage: AnswerPassage }[] = []
  for (const passage of nearest) {
    const words = passage.content.slice(passage.best.start, passage.best.end)
    const draft = { text: '', group: null, quotes: [{ passage: 0, words }] }
    const [evidence] = (await findQuotes(actor, draft, [passage], signal)).evidence
    if (evidence) found.push({ evidence, passage })
  }
  const quotes = found.map(({ evidence }) => evidence)
  const texts = quotes.map(({ quote }) => quote)
  const marked = await markTerms({ person: actor.userId, signal }, { terms: searchTerms(question), texts })
  const matches = found.map(({ passage: { matched, section } }, at) => {
    const words = marked[at]!.marks.map(([start, end]) => texts[at]!.slice(start, end))
    return { matched, section, words: [...new Set(words)] }
  })
  return { quotes, matches }
}
