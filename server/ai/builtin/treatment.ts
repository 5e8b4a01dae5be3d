import { claimAsked } from '#server/language/agreement-question.ts'
import { SUBJECTS } from '#server/language/sample-size.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { WORDS } from './change-words.ts'
import type { Direction, Finding } from './read-findings.ts'

/** Search terms that do not name a treatment. */
const NO_TREATMENT = new Set(
  searchTerms(
    `${WORDS.causes} ${WORDS.infinitives} effect effects impact difference higher lower longer shorter rate risk number level amount incidence share lead cause ` +
      'study studies trial trials paper papers research evidence show report agree disagree contradict conflict consensus mixed ' +
      'patient patients participant participants people person adult adults group groups',
  ),
)
/** Search terms that name a kind or a place of a treatment, but not which one: 'calcium tablets' are no vitamin D tablets. */
const ANY_TREATMENT = new Set(
  searchTerms(
    'treatment treated intervention therapy programme program training supplement supplementation tablet pill drug medication course session dose daily weekly use user intake consumption exposure farm class school home hospital plot field',
  ),
)
/**
 * Search terms of treatments that are quantities, such as class size. They are not read, because 'smaller classes' is a lower
 * value of the treatment.
 */
const SCALES = new Set(
  searchTerms(
    'size length dose dosage duration amount number level intensity frequency density distance age quantity speed',
  ),
)
const NAMES_CONTROL =
  /\b(?:placebos?|(?<!active )controls?|un\w+ed|\w+-free|usual care|standard care|standard of care|as usual|wait(?:ing)?[- ]?list|no \w+|non-?\w*(?:ers?|ed|ants?|ents?)|sham|without|lack|absence|remov\w+|withdraw\w+|cessation|discontinu\w+|stop\w*|low adherence)\b/i
/** Matches words for a lower value of a treatment, as in 'reduced grazing', or for its absence. */
const NAMES_LESS =
  /\b(?:(?:reduc|limit|restrict|avoid|skip|decreas|minimi|omit|abst[ai]|curb|curtail|eliminat|prohibit|insufficien|inadequa|poor|deficien|depriv|scarc|anti-|exclusion|excluding)\w*|less|fewer|low(?:er\w*)?(?!-)|bans?|banned|banning|cut(?:s|ting)?|quit(?:ting)?|replacing|no)\b/i
const CONTRASTS: readonly (readonly string[])[] = [
  ['short', 'long'],
  ['high', 'low'],
  ['early', 'late'],
  ['hot', 'cold'],
  ['large', 'small', 'bigger', 'smaller', 'larger'],
  ['light', 'lightly', 'moderate', 'moderately', 'heavy', 'heavily'],
  ['dynamic', 'static'],
  ['active', 'passive'],
  ['dry', 'wet'],
]
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns whether two texts name different kinds of a treatment: 'short naps' and 'long naps', 'vitamin D' and 'vitamin B'. */
export function differIn(one: string, other: string): boolean {
  const [ofOne, ofOther] = [new Set(wordsOf(one)), new Set(wordsOf(other))]
  const isContrast = CONTRASTS.some((words) => {
    const [inOne, inOther] = [ofOne, ofOther].map((own) => words.filter((word) => own.has(word)))
    return inOne!.length > 0 && inOther!.length > 0 && !inOne!.some((word) => inOther!.includes(word))
  })
  const names = (words: ReadonlySet<string>) => [...words].filter((word) => /^[b-z]\d*$/.test(word) && word !== 's')
  const [namesOfOne, namesOfOther] = [names(ofOne), names(ofOther)]
  return (
    isContrast || (namesOfOne.length > 0 && namesOfOther.length > 0 && !namesOfOne.some((name) => ofOther.has(name)))
  )
}

/** The treatment and the outcome of a question. */
export interface AskedEffect {
  question: string
  /** Search terms of the text that can name the outcome: the text after the verb, or the whole question. */
  outcome: ReadonlySet<string>
  /** Search terms of the treatment. [] for a treatment with a direction of its own, such as 'less homework'. */
  treatment: readonly string[]
}

/** Matches the part of a question that names the treatment: 'Do studies agree that short naps improve recall?' */
const BEFORE_VERB = new RegExp(
  String.raw`^(?:(?:and |but )?(?:do|does|did|can|could|will|has|have|how (?:do|does|did))|.*\b(?:that|whether|if)) (?:the |an? )?(.+?) (?:${WORDS.causes}|help\w*|lead|leads|led|caus\w+|prevent\w*|have an? \w+ on)\b(?! (?:with|after|under|in|during|following|when)\b)`,
  'i',
)

/** Reads the treatment and the outcome of a question for an effect or for agreement of studies. */
export function readQuestion(question: string): AskedEffect {
  const asserted = claimAsked(question)
  const claim = asserted === null ? question : `Do ${asserted}`
  const found = BEFORE_VERB.exec(claim)
  const named = found?.[1] ?? claim
  const terms = searchTerms(named).filter((term) => !NO_TREATMENT.has(term))
  const isRead = !NAMES_LESS.test(named) && !NAMES_CONTROL.test(named) && !terms.some((term) => SCALES.has(term))
  return {
    question,
    outcome: new Set(searchTerms(found ? claim.slice(found[0].length) : claim)),
    treatment: isRead ? terms : [],
  }
}

/** Matches the words that can be between the start of a text and the name of the treatment: 'in patients assigned to'. */
const LINKS = new RegExp(
  String.raw`^(?:(?:(?:significant|substantial|marked|slight|steadi|considerab)ly|with|in|among|after|under|following|on|by|for|at|from|between|using|receiving|received|taking|took|given|assigned|allocated|randomly|randomi[sz]ed|treated|who|that|to|the|an?|their|more|had|were|was|of (?=those)|those|introducing|exposure to|(?:use|introduction|provision|addition|application|administration|intake|consumption|\d[\d.,]* \w+|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve) \w+) of|${SUBJECTS}|reviewers|teams|classes|schools|groups?|arms?|plots|fields|farms|villages|projects|sites|areas|drivers|older|young|hospitals?|homes?)(?: |$))*`,
  'i',
)
/** Matches words that can describe a treatment. Other words can reverse it: 'former', 'insufficient'. */
const DESCRIBES =
  /^(?:(?:low|high|standard|full)-dose|(?:short|long)-term|(?:\w+-)?(?:based|supervised|guided)|additional|adjunctive|adjuvant|automat(?:ed|ic)|brief|chronic|community|computerized|continuous|current|dietary|digital|direct|early|extra|frequent|free|greater|group|habitual|heavy|higher|home|increased|individual|inhaled|intensive|intravenous|local|long|maternal|mobile|moderate|modern|monthly|more|natural|new|nightly|online|oral|peer|prenatal|preventive|prophylactic|regular|repeated|routine|school|short|single|standard|structured|systemic|topical|voluntary)$/i
/** Matches the text after the name of the treatment: nothing, or a place, a group or a time. */
const AFTER = new RegExp(
  String.raw`^(?:(?:groups?|arms?|${SUBJECTS}|plots|sites|classes|teams|was|were|had)(?: |$))*(?:$|[,;](?!.*\b(?:compared|versus|and|or|plus|with|without)\b)|of (?:\S+(?: |$)){1,6}$|(?:in|at|for|over|during|on|per|after|by|from|a|every|each|once|twice|below|above) (?!.*\b(?:with|and)\b)(?:\S+(?: |$)){1,6}$)`,
  'i',
)

/** A text around the name of a treatment. */
interface Naming {
  before: string
  after: string
}

/** Returns the text before and after the name of the treatment with its description; null if a text does not name it. */
function splitAtName(text: string, sought: readonly string[], { treatment }: AskedEffect): Naming | null {
  const words = text.replaceAll(',', ' ,').split(/\s+/).filter(Boolean)
  // Every term of a compound must fit: 'gluten-free' does not name gluten.
  const isOfTreatment = (terms: readonly string[]) =>
    terms.length > 0 && terms.every((term) => ANY_TREATMENT.has(term) || treatment.includes(term))
  const isSought = (word: string) => {
    const terms = searchTerms(word)
    return isOfTreatment(terms) && terms.some((term) => sought.includes(term))
  }
  const isPart = (word: string) => DESCRIBES.test(word) || isOfTreatment(searchTerms(word))
  const first = words.findIndex(isSought)
  if (first < 0) return null
  const length = words.slice(first).findIndex((word) => !isPart(word))
  const links = LINKS.exec(words.slice(0, first).join(' '))![0]
  const described = words.slice(0, first).join(' ').slice(links.length)
  const isDescribed = described === '' || (described.split(' ').every(isPart) && !/\b(?:who|that) $/i.test(links))
  return isDescribed ? { before: links, after: length < 0 ? '' : words.slice(first + length).join(' ') } : null
}

/**
 * Returns the name of the second group of a text that names the sought treatment and nothing else as the cause or as one of two
 * groups: 'controls' for 'in statin users and controls', '' for 'in patients assigned to daily aspirin'. Null for another text,
 * such as 'termination of aspirin', 'aspirin and exercise' or 'aspirin with a meal'.
 */
function secondGroup(text: string, sought: readonly string[], asked: AskedEffect, isNone: boolean): string | null {
  const naming = splitAtName(text, sought, asked)
  if (!naming || NAMES_LESS.test(text)) return null
  const { before, after } = naming
  const [, second] = /^and (.+)/i.exec(after) ?? []
  if (second !== undefined)
    return isNone || (/^(?:by|from|to) \d/i.test(second) && NAMES_CONTROL.test(second)) ? second : null
  return AFTER.test(after) && !/\bbetween\b/i.test(before) ? '' : null
}

/**
 * Returns a finding if it is about the treatment of a question, else null. A comparison with the treatment on the other side
 * ('was higher with placebo than with melatonin') is reversed. `paperTerms` returns the search terms of the paper, for a
 * sentence that names only a part of the treatment, or names it only in general ('in the intervention group').
 */
export function ofTreatment(
  finding: Finding,
  asked: AskedEffect,
  paperTerms: () => ReadonlySet<string>,
): Finding | null {
  const named = asked.treatment.filter((term) => !finding.outcome.terms.includes(term))
  const specific = named.filter((term) => !ANY_TREATMENT.has(term))
  const sought = specific.length > 0 ? specific : named
  if (sought.length === 0) return null
  const covered = (text: string) => {
    const terms = new Set(searchTerms(text))
    return sought.filter((term) => terms.has(term)).length
  }
  const { agents, reference, direction, isCaused, isComparison } = finding
  const agent = agents.find((text) => covered(text) > 0) ?? agents.join(' ').trim()
  if (differIn(asked.question, agent)) return null
  // 'Days with pain fell in the aspirin group' is not about the days.
  if (!agents[0]!.startsWith(agent) && /^with(?:out)?\b/i.test(agents[0]!)) return null
  const ofAgent = covered(agent)
  const ofReference = NAMES_CONTROL.test(reference) ? 0 : covered(reference)
  const isNamed = Math.max(ofAgent, ofReference) === sought.length || sought.every((term) => paperTerms().has(term))
  if (!isNamed) return null
  if (ofAgent > ofReference) {
    const isControl = direction !== 'none' && NAMES_CONTROL.test(agent.split(/ and /)[0]!)
    const second = isControl ? null : secondGroup(agent, sought, asked, direction === 'none')
    return second === null ? null : { ...finding, reference: reference || second }
  }
  if (ofReference > ofAgent) {
    if (secondGroup(reference, sought, asked, false) === null) return null
    const swapped = { ...finding, agents: [reference], reference: agent }
    if (direction === 'none') return swapped
    return isComparison && NAMES_CONTROL.test(agent) ? reversed(swapped) : null
  }
  if (ofAgent > 0 || NAMES_CONTROL.test(agent)) return null
  const isAgainstControl = agent === '' && NAMES_CONTROL.test(reference)
  const isGeneral = isAgainstControl || (isCaused ? IN_GENERAL : IN_GENERAL_GROUP).test(agent)
  return isGeneral ? finding : null
}

/** Search terms of references that do not name what the treatment is compared with. */
const GROUP = new Set(searchTerms('group groups arm arms'))

/**
 * Returns the search terms of the treatment with which a finding compares, as one text: 'clopidogrel'. Empty for a control such
 * as placebo, and for a finding without a reference.
 */
export const comparatorOf = ({ reference }: Finding): string =>
  NAMES_CONTROL.test(reference)
    ? ''
    : searchTerms(reference)
        .filter((term) => !ANY_TREATMENT.has(term) && !GROUP.has(term))
        .toSorted()
        .join(' ')

const GENERAL = '(?:intervention|treatment|therapy|program(?:me)?|training|supplementation|supplement|drug)'
/** Matches a name of the treatment that needs the rest of the paper: 'The intervention'. */
const IN_GENERAL = new RegExp(`^(?:the |this |our )?${GENERAL}s?$`, 'i')
const IN_GENERAL_GROUP = new RegExp(
  `^(?:in|with|after|under|following) (?:the |this )?${GENERAL}s?(?: (?:group|arm))?$`,
  'i',
)

const REVERSED: Partial<Record<Direction, Direction>> = {
  increase: 'decrease',
  decrease: 'increase',
  better: 'worse',
  worse: 'better',
}

function reversed(finding: Finding): Finding | null {
  const direction = REVERSED[finding.direction]
  return direction ? { ...finding, direction } : null
}
