import { isAdvice, isDependent, isGuide, isOfOthers } from './sentence-cues.ts'
import type { Statement } from './statements.ts'

const MOST_SENTENCES = 3
/**
 * Matches people and organizations that act in practice. A sentence of advice that contains one of them gets a higher score.
 */
const ACTORS =
  /\b(?:clinicians?|physicians?|doctors?|nurses?|patients?|practitioners?|developers?|managers?|compan(?:y|ies)|organi[sz]ations?|employers?|employees?|teachers?|educators?|schools?|polic(?:y|ies)|policymakers?|governments?|health|care|people|women|parents|teams?|users?|treatment|outreach|guidelines?|programmes?|programs?|professionals?|hospitals?|communities)\b/i
const NOT_ADVICE =
  /\b(?:future|further|more) (?:work|research|stud(?:y|ies)|investigations?|experiments?|trials?|analys[ei]s|validation|replications?)\b|\bresearchers?\b|\bresearch (?:is|should|needs)\b|\bshould (?:be (?:noted|interpreted|considered (?:with|when)|treated with|seen|viewed|taken with|mentioned|kept|careful|representative|generali[sz]able|able|easy|possible|similar|the same|in line)|not be (?:seen|interpreted|generali[sz]ed|taken|over)|have been|also (?:be )?(?:noted|mention)|note|still be|therefore be (?:interpreted|seen)|allow|hold|work|lead|help|give|provide)\b|\bcaution\b|\bwe (?:should|must|need(?:ed)?|had) (?:to )?(?:note|mention|be|acknowledge|consider)|\b(?:replicat|generali[sz])|\bneeded to\b|\bhypothes|\bvalidity\b|\bstud(?:y|ies) (?:should|must|need)|\bexperiments? (?:should|must|need)/i

/**
 * Returns up to three sentences of advice for practice, in the order of the paper. They have the highest scores among the
 * sentences of the sections Recommendations, Implications, Conclusion and Discussion and of the abstract's conclusion. Returns
 * [] if there are none.
 */
export function findRecommendations(statements: readonly Statement[]): Statement[] {
  const scored = statements
    .filter((one) => weight(one) > 0 && isAdvice(one.text) && !NOT_ADVICE.test(one.text))
    .filter((one) => !one.text.endsWith('?') && !isGuide(one.text) && !isOfOthers(one.text))
    .map((one) => ({
      one,
      score:
        weight(one) +
        (ACTORS.test(one.text) ? 0.6 : 0) -
        (isDependent(one.text) ? 0.5 : 0) -
        (one.text.length > 350 ? 0.3 : 0),
    }))
    .filter(({ score }) => score >= 0.9)
  return scored
    .toSorted((a, b) => b.score - a.score || a.one.order - b.one.order)
    .slice(0, MOST_SENTENCES)
    .map(({ one }) => one)
    .toSorted((a, b) => a.order - b.order)
}

function weight(one: Statement): number {
  if (one.role === 'recommendations') return 1
  if (one.role === 'abstract') return one.move === 'conclusion' ? 1.15 : 0
  if (one.role === 'conclusion') return 0.6
  return one.role === 'discussion' ? 0.45 : 0
}
