import { searchTerms } from './search-terms.ts'

const ASKS_AGREEMENT =
  /\b(?:(?:dis)?agree(?:s|d|ing|ment)?|consensus|controvers(?:y|ies|ial)|contradict(?:s|ed|ing|ory|ions?)?|conflict(?:s|ing)?|(?:in)?consisten(?:t|cy|tly|cies)|mixed|unanimous(?:ly)?|(?:in)?conclusive|concur|diverge(?:s|nt)?|discrepanc(?:y|ies)|disput(?:e|ed|es)|at odds|one another|each other|point in (?:the same|different|opposite) directions?)\b/i

/** Returns whether a question has a word for agreement or disagreement: 'Which studies contradict each other?' */
export const asksForAgreement = (question: string): boolean => ASKS_AGREEMENT.test(question)

const NOUNS =
  '(?:stud(?:y|ies)|trials?|papers?|articles?|authors|researchers|experiments?|evaluations?|reviews?|findings?|results?|evidence|literature|research|sources|data)'
/** Matches a noun phrase for studies without the name of their subject: 'any of the clinical trials'. */
const STUDIES = `(?:(?:all|any|both|each|every|many|most|no|one|other|several|some|an?) )?(?:of )?(?:(?:the|these|those|this|that|our|my) )?(?:(?:available|clinical|controlled|current|earlier|empirical|existing|field|included|observational|previous|published|randomi[sz]ed|recent) )*${NOUNS}`
const ABOUT = '(?:about|concerning|for|into|of|on|over|regarding)'
const OF_TOPIC = `${ABOUT} (?<topic>.+?)`
const ON_CLAIM = `(?:(?:that|(?:${ABOUT} )?(?:if|whether)) (?<claim>.+)|${ABOUT} (?<object>.+))`
const ADVERBS = '(?:(?:actually|all|always|clearly|consistently|ever|generally|mostly|really|still|usually) )*'
const AGREE = '(?:(?:dis)?agree|concur|(?:conflict with|contradict) (?:each other|one another))'
const REPORT =
  '(?:claim|conclude|confirm|demonstrate|find|indicate|observe|report|say|show|state|suggest|(?:contradict|dispute|support) the (?:claim|hypothesis|idea|view))'
const MIXED =
  '(?:at odds|conclusive|conflicting|consistent|contradictory|divergent|divided|inconclusive|inconsistent|mixed|opposing|unanimous)'

/**
 * Match whole questions for the reports of studies or for their agreement. The groups are the subject of the studies and their
 * claim.
 */
const FRAMES = [
  `(?:do|does|did) ${STUDIES} (?:${OF_TOPIC} )?${ADVERBS}(?:${AGREE} ${ON_CLAIM}|${REPORT} (?:that|whether) (?<found>.+))`,
  `what (?:do|does|did) ${STUDIES} (?:conclude|find|report|say|show|suggest) (?:about|on|regarding) (?<object>.+)`,
  `(?:is|are) ${STUDIES} ${MIXED} ${ON_CLAIM}`,
  `(?:is|are) ${STUDIES} ${OF_TOPIC} ${MIXED}(?: ${ON_CLAIM})?`,
  `(?:is there|are there|do we have) (?:(?:an?|any|clear|scientific|some|still) )*(?:consensus|controversy|(?:dis)?agreement|${MIXED} ${NOUNS}) ${ON_CLAIM}`,
  `how ${MIXED} (?:is|are) ${STUDIES} ${ABOUT} (?:whether (?<claim>.+)|(?<object>.+))`,
  `which ${STUDIES} ${REPORT} that (?<claim>.+)`,
].map((frame) => new RegExp(`^(?:(?:and|but|so) )?${frame}$`, 'i'))

/**
 * Returns the claim of a question for the reports of studies or for their agreement, as a statement or a noun phrase: 'solar
 * lamps raise study time?' for 'Do the studies agree that solar lamps raise study time?', and 'naps?' for 'What do the papers
 * say about naps?'. A paper that answers need not contain the other words. All such questions are English. Returns null for all
 * other questions, and if the claim has no search term.
 */
export function claimAsked(question: string): string | null {
  const asked = question.trim().replace(/[\s?.!]+$/, '')
  // Of two sentences, only one asks.
  if (/[?.!]\s/.test(asked)) return null
  const groups = FRAMES.map((frame) => frame.exec(asked)).find((found) => found !== null)?.groups
  if (!groups) return null
  const { topic, claim = groups['found'], object } = groups
  const phrase = [topic, object].filter((part) => part !== undefined).join(' and ')
  const statement = topic === undefined ? claim : `as for ${topic}, ${claim}`
  const text = claim === undefined ? phrase : statement!
  return searchTerms(text).length > 0 ? `${text}?` : null
}
