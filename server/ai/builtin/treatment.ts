import { searchTerms } from '#server/language/search-terms.ts'
import type { Direction, Finding } from './read-findings.ts'

/** Search terms that do not name a treatment. */
const NO_TREATMENT = new Set(
  searchTerms(
    'study studies trial trials experiment experiments evaluation evaluations evidence research result results finding findings paper ' +
      'agree disagree agreement disagreement contradict contradictory contradiction conflict conflicting consistent inconsistent consensus mixed controversy ' +
      'effect effects affect affected impact influence change changes changed difference increase decrease reduce lower raise rise fall drop improve worsen shorten prolong ' +
      'higher lower longer shorter rate risk number level amount incidence share report show find patient patients participant participants people person adult adults group groups lead cause',
  ),
)
/** Search terms that name a kind of treatment, but not which one: 'calcium tablets' are no vitamin D tablets. */
const ANY_TREATMENT = new Set(
  searchTerms(
    'treatment treated intervention therapy programme program training supplement supplementation tablet pill drug medication course session dose daily weekly use user',
  ),
)
/** Search terms of treatments with a direction of their own: smaller classes have an effect of class size. */
const SCALES = new Set(
  searchTerms(
    'size length dose dosage duration amount number level intensity frequency density distance age quantity speed',
  ),
)
const NAMES_CONTROL =
  /\b(?:placebos?|controls?|untreated|usual care|waiting list|no treatment|non-\w+|sham|without|lack|absence|remov\w+|withdraw\w+|cessation|discontinu\w+|stop\w*|low adherence)\b/i
const CONTRASTS: readonly (readonly string[])[] = [
  ['short', 'long'],
  ['high', 'low'],
  ['early', 'late'],
  ['hot', 'cold'],
  ['large', 'small', 'bigger', 'smaller', 'larger'],
  ['light', 'heavy'],
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

/** Matches the part of a question that names the treatment: 'Do studies agree that short naps improve recall?' */
const BEFORE_VERB =
  /(?:^(?:do|does|did|can|could|will|has|have|how (?:do|does|did))|\b(?:that|whether|if)) (?:the |an? )?(.+?) (?:reduc\w+|lower\w*|rais\w+|increas\w+|decreas\w+|improv\w+|affect\w*|influenc\w+|chang\w+|shorten\w*|prolong\w*|help\w*|lead|lead\w*|caus\w+|prevent\w*|worsen\w*|alter\w*|have an? \w+ on)\b(?! (?:with|after|under|in|during|following|when)\b)/i

/** Returns the part of a question that can name the outcome: the text after the verb, or the whole question. */
export function outcomePart(question: string): string {
  const found = BEFORE_VERB.exec(question)
  return found ? question.slice(found.index + found[0].length) : question
}

function treatmentTerms(question: string, ofOutcome: readonly string[]): string[] {
  const isTreatment = (term: string) => !NO_TREATMENT.has(term) && !ofOutcome.includes(term)
  const named = searchTerms(BEFORE_VERB.exec(question)?.[1] ?? '').filter(isTreatment)
  return named.length > 0 ? named : searchTerms(question).filter(isTreatment)
}

/** Matches the words that can be between the start of a text and the name of the treatment: 'in patients assigned to'. */
const LINKS = new RegExp(
  String.raw`^(?:(?:\w+ly|with|in|among|after|under|following|on|by|for|at|from|between|using|receiving|received|taking|took|given|assigned|allocated|randomi[sz]ed|treated|who|that|to|the|an?|all|their|both|more|had|were|was|of (?=those)|those|introducing|(?:use|introduction|provision|addition|application|administration|intake|consumption|\d[\d.,]* \w+|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve) \w+) of|patients|participants|people|adults|children|students|pupils|residents|nurses|users|women|men|reviewers|developers|teams|classes|schools|groups?|arms?|plots|fields|farms|sites|areas|mice|rats|families|households|drivers|workers|employees|older|young|hospitals?|homes?)(?: |$))*`,
  'i',
)
/** Matches the text after the name of the treatment: nothing, or a place, a group or a time. */
const AFTER =
  /^(?:(?:groups?|arms?|users?|plots|sites|classes|teams|was|were|had) ?)*(?:$|[,;]|of (?:\S+(?: |$)){1,6}$|(?:in|at|for|over|during|on|per|after|by|from|a|every|each|once|twice|below|above) (?!.*\b(?:with|and)\b)(?:\S+(?: |$)){1,6}$)/i
const PREPOSITION =
  /\b(?:with|in|among|after|under|following|on|by|for|at|from|between|of|to|who|that|whose|and|or|plus|during|against|without)\b/i

/**
 * Returns whether a text names the sought treatment and nothing else as the cause or the group: 'in patients assigned to daily
 * aspirin', but not 'termination of aspirin', 'aspirin and exercise' or 'aspirin with a meal'.
 */
function namesOnly(text: string, sought: readonly string[], isNone: boolean): boolean {
  const words = text.replaceAll(',', ' ,').split(/\s+/).filter(Boolean)
  const isSought = words.map((word) => searchTerms(word).some((term) => sought.includes(term)))
  const first = isSought.indexOf(true)
  if (first < 0) return false
  let end = first
  const isPart = (at: number) => isSought[at] || searchTerms(words[at] ?? '').some((term) => ANY_TREATMENT.has(term))
  while (end < words.length) {
    const gap = [0, 1, 2].find((length) => isPart(end + length))
    if (gap === undefined || (gap > 0 && PREPOSITION.test(words.slice(end, end + gap).join(' ')))) break
    end += gap + 1
  }
  const before = words.slice(0, first).join(' ')
  const after = words.slice(end).join(' ')
  // Words before the name in its own noun phrase describe it.
  const described = before.slice(LINKS.exec(before)![0].length)
  if (described !== '' && /\b(?:who|that) $/i.test(LINKS.exec(before)![0])) return false
  if (PREPOSITION.test(described)) return false
  return AFTER.test(after) || (/^and\b/i.test(after) && (isNone || NAMES_CONTROL.test(after)))
}

/**
 * Returns a finding if it is about the treatment that a question names, else null. A comparison with the treatment on the other
 * side ('was higher with placebo than with melatonin') is reversed. `paperTerms` are the search terms of the paper, for a
 * sentence that names its treatment only in general ('in the intervention group').
 */
export function ofTreatment(finding: Finding, question: string, paperTerms: ReadonlySet<string>): Finding | null {
  const treatment = treatmentTerms(question, finding.outcome.terms)
  const specific = treatment.filter((term) => !ANY_TREATMENT.has(term))
  const sought = specific.length > 0 ? specific : treatment
  const covered = (text: string) => {
    const terms = new Set(searchTerms(text))
    return sought.filter((term) => terms.has(term)).length
  }
  const { agents, reference, direction, isCaused, isComparison } = finding
  const agent = agents.find((text) => covered(text) > 0) ?? agents.join(' ').trim()
  if (sought.length === 0 || sought.some((term) => SCALES.has(term)) || differIn(question, agent)) return null
  const ofAgent = covered(agent)
  const ofReference = NAMES_CONTROL.test(reference) ? 0 : covered(reference)
  if (ofAgent > ofReference) {
    const isControl = direction !== 'none' && NAMES_CONTROL.test(agent.split(/ and /)[0]!)
    return isControl || !namesOnly(agent, sought, direction === 'none') ? null : finding
  }
  if (ofReference > ofAgent) {
    if (!namesOnly(reference, sought, false)) return null
    if (direction === 'none') return finding
    return isComparison && NAMES_CONTROL.test(agent) ? reversed(finding) : null
  }
  if (ofAgent > 0 || NAMES_CONTROL.test(agent)) return null
  const isOfPaper = sought.filter((term) => paperTerms.has(term)).length > sought.length / 2
  const isAgainstControl = agent === '' && NAMES_CONTROL.test(reference)
  const isGeneral = isAgainstControl || (isCaused ? IN_GENERAL : IN_GENERAL_GROUP).test(agent)
  return isOfPaper && isGeneral ? finding : null
}

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
