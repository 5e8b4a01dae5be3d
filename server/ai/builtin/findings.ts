import {
  hasFigure,
  isAdvice,
  isCiting,
  isDependent,
  isFinding,
  isGuide,
  isMethod,
  isObjective,
  isOfOthers,
} from './sentence-cues.ts'
import type { Statement } from './statements.ts'
import { ARGUMENT, isDefinition, spread } from './summary.ts'
import { centrality, chooseDiverse, cosine, sentenceVectors } from './textrank.ts'

const MOST_FINDINGS = 6
const MOST_COMPARED = 300
const FROM: Partial<Record<Statement['role'], number>> = { conclusion: 0.55, results: 0.4, discussion: 0.4, body: 0.1 }

/**
 * Returns up to six findings, best first, without repetitions: sentences that report results, from the results and conclusions
 * of the abstract and from the sections Results, Discussion and Conclusion (or the body). Ranks them by centrality and cues:
 * sentences with numbers rank higher, sentences that depend on the previous one lower. Skips questions, plans, most methods,
 * and work of others.
 */
export function findFindings(statements: readonly Statement[], stopwords: ReadonlySet<string>): Statement[] {
  const candidates = spread(statements.filter(isCandidate), MOST_COMPARED)
  if (candidates.length === 0) return []
  const vectors = sentenceVectors(
    candidates.map((one) => one.text),
    stopwords,
  )
  const central = centrality(vectors)
  const scores = candidates.map((one, at) => central[at]! * 0.5 + worth(one))
  const chosen = chooseDiverse(scores, vectors, MOST_FINDINGS).filter((at) => scores[at]! > 0.5)
  return chosen.map((at) => candidates[at]!)
}

/**
 * Returns up to four findings of a paper that is not in English, for which the patterns of `findFindings` do not work: the most
 * central sentences of the results, discussion and conclusion. If these sections have fewer than three sentences, returns the
 * most central sentences of the second half of the abstract.
 */
export function centralLateSentences(statements: readonly Statement[], stopwords: ReadonlySet<string>): Statement[] {
  const late = statements.filter((one) => ['results', 'discussion', 'conclusion'].includes(one.role))
  const abstract = statements.filter((one) => one.role === 'abstract')
  const candidates = spread(late.length >= 3 ? late : abstract.slice(Math.floor(abstract.length / 2)), MOST_COMPARED)
  if (candidates.length === 0) return []
  const vectors = sentenceVectors(
    candidates.map((one) => one.text),
    stopwords,
  )
  const central = centrality(vectors)
  return chooseDiverse(central, vectors, 4).map((at) => candidates[at]!)
}

const MOST_CLAIMS = 4
const CLAIM =
  /\b(?:allows?|enables?|provides?|offers?|supports?|helps?|makes? it possible|can (?:also )?be used|facilitates?|is designed|was designed|focus(?:es)? on|(?:main )?goal of)\b/i

/**
 * Returns up to four sentences that define the subject of a paper or state what it can do, best first. Used for a paper without
 * findings.
 */
export function findClaims(
  statements: readonly Statement[],
  title: string | null,
  stopwords: ReadonlySet<string>,
): Statement[] {
  const argument = statements.filter((one) => ARGUMENT.has(one.role) && !isGuide(one.text) && !isDependent(one.text))
  const claims = argument.filter((one) => isDefinition(one.text, title) || CLAIM.test(one.text))
  const candidates = spread(claims.length > 0 ? claims : argument, MOST_COMPARED)
  if (candidates.length === 0) return []
  const [titleVector, ...vectors] = sentenceVectors([title ?? '', ...candidates.map((one) => one.text)], stopwords)
  const central = centrality(vectors)
  const scores = candidates.map(
    (one, at) =>
      central[at]! * 0.4 +
      cosine(titleVector!, vectors[at]!) +
      (isDefinition(one.text, title) ? 0.5 : 0) -
      (isCiting(one.text) ? 0.2 : 0) -
      (one.text.length > 300 ? 0.3 : 0),
  )
  return chooseDiverse(scores, vectors, MOST_CLAIMS).map((at) => candidates[at]!)
}

function isCandidate(one: Statement): boolean {
  const { text, role, move } = one
  if (role === 'abstract' ? move !== 'results' && move !== 'conclusion' : FROM[role] === undefined) return false
  if (text.endsWith('?') || isGuide(text) || isOfOthers(text)) return false
  const isPlainAdvice = isAdvice(text) && !/\b(?:show|found|find|suggests? that|significant)/i.test(text)
  if (isPlainAdvice) return false
  if (role === 'abstract') return isFinding(text) || move === 'conclusion'
  if (!isFinding(text)) return false
  return !isMethod(text) || STRONG.test(text)
}

/** Words that report a result even in a sentence that also describes a method. */
const STRONG =
  /\b(?:we (?:\w+ )?(?:found|find|observed?|saw|conclude)|(?:result|finding|analys[ei]s|data|evidence)\w* (?:show|indicate|suggest|reveal|confirm)|significantly|not significant|outperform|(?:higher|lower|more|less|fewer|better|worse|faster|slower) than)/i
/** Patterns that change a sentence's score as a finding, with their weights. */
const SIGNS: readonly (readonly [RegExp, number])[] = [
  [
    /\b(?:we (?:found|find|conclude|show|observed)|(?:our|the|these) (?:results|findings|data|analysis) (?:show|indicate|suggest|reveal|confirm)|this (?:study|paper) shows)|\bsignificant|\boutperform/i,
    0.25,
  ],
  [/\b(?:may|might|could|perhaps|possibly|presumably)\b/i, -0.15],
  [
    /\b(?:limitation|threat|validity|bias|assum|unfortunately|conceivabl|interesting patterns?|in practice|we tried)/i,
    -0.4,
  ],
  // Statistical methods and samples are no findings.
  [
    /\b(?:goodness|fit (?:index|indices)|factor analysis|measurement model|dummy variable|load well|good fit|converg\w+|RMSEA|CFI|Cronbach|KMO|Bartlett|Shapiro|Levene|sphericity|normality|normally distributed|effect sizes? (?:is|are|was)|inter-?rater)/i,
    -0.6,
  ],
  [
    /\b(?:questionnaire received|usable responses|response rate|participants? were|mean age|we received|completed the (?:trial|study|survey)|data (?:\w+ ){0,4}(?:was|were) available)\b/i,
    -0.4,
  ],
]

function worth(one: Statement): number {
  const { text, role } = one
  const words = text.split(' ').length
  return (
    (role === 'abstract' ? 0.8 : (FROM[role] ?? 0)) +
    (hasFigure(text) ? 0.3 : 0) +
    SIGNS.reduce((sum, [sign, points]) => sum + (sign.test(text) ? points : 0), 0) -
    (isDependent(text) ? 0.6 : 0) -
    (isCiting(text) ? 0.35 : 0) -
    (isObjective(text) ? 0.3 : 0) -
    (words > 45 ? 0.25 : words < 8 ? 0.15 : 0)
  )
}
