const STUDIES = String.raw`(?:studies|(?<=\b(?:an?|any|the|this|that|each|every|no|one|which|another) )study|trials?|papers?|articles?|authors|researchers|experiments?|evaluations?|reviews?|findings?|results?|evidence|literature|research|sources|data)`
const AGREEMENT = String.raw`(?:(?:dis)?agree(?:s|d|ing|ment)?|consensus|controvers(?:y|ies|ial)|contradict(?:s|ed|ing|ory|ions?)?|conflict(?:s|ing)?|(?:in)?consisten(?:t|cy|tly|cies)|mixed|unanimous(?:ly)?|(?:in)?conclusive|concur|diverge(?:s|nt)?|discrepanc(?:y|ies)|disput(?:e|ed|es)|at odds|one another|each other|point in (?:the same|different|opposite) directions?)`
const REPORTS = String.raw`(?:shows?|finds?|found|reports?|says?|suggests?|concludes?|confirms?|supports?|indicates?|demonstrates?|claims?|states?|observes?)`
/** Matches a noun phrase for the studies with the verb of the question: 'Did any of the trials', 'do all studies of naps'. */
const SUBJECT = String.raw`(?:do|does|did) (?:\p{L}+ ){0,3}${STUDIES} (?:\p{L}+ ){0,4}?`

const ASKS_AGREEMENT = new RegExp(String.raw`\b${AGREEMENT}\b`, 'iu')
const NAMES_STUDIES = new RegExp(
  String.raw`\b(?:${STUDIES}|consensus|controversy|(?:dis)?agreement|contradictions?)\b`,
  'iu',
)
const ASKS_REPORT = new RegExp(String.raw`\b${SUBJECT}${REPORTS}\b`, 'iu')
const OF_AGREEMENT = new RegExp(String.raw`\b(?:${STUDIES}|${AGREEMENT}|claims?|whether)\b`, 'giu')
const OF_REPORT = new RegExp(String.raw`\b(?:${STUDIES}|${REPORTS}|claims?|whether)\b`, 'giu')

/**
 * Matches the words that are left at the beginning of a question without these words: 'Do the about' in 'Do the about naps?'.
 */
const START =
  /^(?:(?:and|but|so|do|does|did|is|are|was|were|how|which|what|where|there|the|of|any|all|most|some|these|those|about|on|over|for|in|that|if|as|to|really|actually|always)\b,?\s*)+/i

/** Returns whether a question has a word for agreement or disagreement: 'Which studies contradict each other?' */
export const asksForAgreement = (question: string): boolean => ASKS_AGREEMENT.test(question)

/**
 * Returns an English question about what studies report, or whether they agree, as a question about the claim itself: 'Do solar
 * lamps raise study time?' for 'Do the studies agree that solar lamps raise study time?'. A paper that answers need not contain
 * the other words. Returns null for another question, and if nothing is left.
 */
export function claimAsked(question: string): string | null {
  const asksAgreement = asksForAgreement(question) && NAMES_STUDIES.test(question)
  if (!asksAgreement && !ASKS_REPORT.test(question)) return null
  const claim = question
    .replaceAll(asksAgreement ? OF_AGREEMENT : OF_REPORT, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(START, '')
  return /\p{L}{4}/u.test(claim) ? `Do ${claim}` : null
}
