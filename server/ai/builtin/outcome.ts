import { searchTerms } from '#server/language/search-terms.ts'
import { WORDS } from './change-words.ts'

/** A quantity that a study measured, such as the rate of falls. */
export interface Outcome {
  /** Equal for different names of the same quantity: 'the rate of falls', 'the number of falls' and 'falls'. */
  key: string
  /** The search terms of the quantity, without words such as 'rate'. */
  terms: readonly string[]
  /** The search terms of its noun if a complement follows: that of 'fear' in 'fear of falls'; else []. */
  head: readonly string[]
  /** The noun phrase: 'the mean heart rate'. */
  name: string
  /** The noun phrase without words of measurement at its start: 'heart rate'. */
  short: string
  /** The noun phrase without words of measurement: 'heart'. */
  core: string
}

const SHARES = 'share|proportion|percentage|fraction'
const MEASURES = `rates?|risks?|numbers?|levels?|amounts?|incidences?|frequency|prevalence|odds|likelihood|probability|chances?|occurrences?|counts?|quantity|${SHARES}`
const STATISTICS =
  'mean|median|average|overall|monthly|weekly|daily|adjusted|crude|estimated|observed|measured|reported'
const MEASURE_OF = new RegExp(String.raw`^(?:${MEASURES}) of (?:the |a |an |all )?(?=\S)`, 'i')
const MEASURE_AT_END = new RegExp(String.raw`(?<=\S) (?:${MEASURES})$`, 'i')
const STATISTIC = new RegExp(
  String.raw`^(?:(?:${STATISTICS}) (?=\S)|(?:annual|yearly|relative|absolute) (?=(?:${MEASURES}) of ))`,
  'i',
)
const SHARE = new RegExp(String.raw`\b(?:${SHARES})\b`, 'i')
const DETERMINER = /^(?:the|an?|their|its|our|his|her|this|all|any|each) (?=\S)/i
/**
 * Matches names that are not read: relative clauses and pronouns, numbers, and words for a change or a relation, because a
 * larger decline is no increase.
 */
const NO_OUTCOME = new RegExp(
  String.raw`\b(?:${WORDS.finite}|that|which|who|whom|whose|where|it|they|them|these|those|this|we|i|he|she|there|one|ones|no|not|none|or|reductions?|declines?|decreases?|increases?|changes?|differences?|improvements?|effects?|impacts?|influences?|associations?|relationships?|correlations?|interactions?|trends?|rises?|drops?|gains?|gaps?|ratios?|groups?|patients|participants|subjects|respondents|dose|doses|use of|users)\b|[\d,;:()]`,
  'i',
)
const MOST_WORDS = 8

/**
 * Reads a noun phrase as the name of a quantity. Two names have the same key if they differ only in words of measurement, their
 * order, and inflection. A share of something is another quantity than its number. Returns null for a name that is not read,
 * such as a pronoun, a name with a number, or 'the decline in pain'.
 */
export function readOutcome(nounPhrase: string): Outcome | null {
  const name = nounPhrase.trim().replace(/^(?!the )(?:an?|their|its|our|all|any) (?=\S)/i, '')
  if (NO_OUTCOME.test(name) || name.split(' ').length > MOST_WORDS) return null
  let short = name
  for (let before = ''; before !== short;) {
    before = short
    short = short.replace(DETERMINER, '').replace(STATISTIC, '').replace(MEASURE_OF, '')
  }
  const core = short.replace(MEASURE_AT_END, '')
  const terms = [...new Set(searchTerms(core))].toSorted()
  if (terms.length === 0) return null
  const key = [...(SHARE.test(name) ? ['share of'] : []), ...terms].join(' ')
  return {
    key,
    terms,
    head: searchTerms(/^.*?\S(?= (?:of|in|to|for|at|with|on|about|from|against|due) )/i.exec(core)?.[0] ?? ''),
    name,
    short,
    core,
  }
}

/** Splits 'falls and fractures' into the names of two quantities. 'or' joins names after a negation. */
export const splitNames = (nounPhrase: string): string[] => nounPhrase.split(/ (?:and|or|nor) /i)

const HEADS_WITH_WITH = /(?:compliance|satisfaction|contact|interference)$/i
const HEADS_WITH_IN = /(?:interest|confidence|trust|engagement|participation|variation|variability|involvement)$/i
const ENDS =
  /^(?:by|in|from|with|among|during|after|compared|than|relative|over|within|per|between|under|when|versus|vs\.?|through|via|without|as|because|was|were|is|are|had|has|across|before|until|since|following|more|less|significantly|only|so|on average|on)$/i
const COMPLEMENTS = /^(?:to|for|at|on|about|from|against)$/i
const NO_COMPLEMENT = /^(?:\d|average|an?$|all$|one$|two$|six$|three$|twelve$|follow|least)/i

/**
 * Returns the noun phrase at the start of a text, and the rest of the text. The phrase contains complements such as 'to
 * recovery' in 'time to recovery', but no place, group or amount: 'falls in care homes', 'falls by 12%'. The phrase is null if
 * it continues with a relative clause.
 */
export function takeNounPhrase(text: string): { phrase: string | null; rest: string } {
  const words = text.trim().split(' ').filter(Boolean)
  let end = 0
  for (; end < words.length; end++) {
    const [word, next, before] = [words[end]!, words[end + 1] ?? '', words.slice(0, end).join(' ')]
    if (/^(?:that|which|who|whose|where)$/i.test(word)) return { phrase: null, rest: words.slice(end).join(' ') }
    const isPart =
      (COMPLEMENTS.test(word) && !NO_COMPLEMENT.test(next)) ||
      (/^with$/i.test(word) && HEADS_WITH_WITH.test(before)) ||
      (/^in$/i.test(word) && HEADS_WITH_IN.test(before))
    if (!isPart && (ENDS.test(word) || COMPLEMENTS.test(word))) break
    if (/[,.;:]$/.test(word)) {
      end++
      break
    }
  }
  const phrase = words
    .slice(0, end)
    .join(' ')
    .replace(/[,.;:]+$/, '')
  return { phrase, rest: words.slice(end).join(' ') }
}
