import { type Change, directionOf, objectOf, WORDS } from './change-words.ts'
import { type Outcome, readOutcome, splitNames, takeNounPhrase } from './outcome.ts'
import { isNotSignificant, isUncertain, withoutParentheses } from './uncertain-result.ts'

/** How an outcome changed. 'none' is no difference; 'no decrease' does not exclude an increase. */
export type Direction = Change | `no ${Change}` | 'none'

/** A change or difference of one outcome that a sentence reports. */
export interface Finding {
  outcome: Outcome
  direction: Direction
  /** The texts that can name the treatment or the group, the closest first: 'vitamin D tablets', 'in the course group'. */
  agents: readonly string[]
  /** True if the sentence names the cause as its subject: 'Tablets reduced falls'. */
  isCaused: boolean
  /** The text that names the group with which the treatment is compared: 'placebo'. Empty if the sentence does not name it. */
  reference: string
  /** True for a difference between groups ('was lower with'), false for a change ('fell'). */
  isComparison: boolean
}

const REPORT =
  /^(?:(?:overall|here|finally|importantly|notably|interestingly|surprisingly|in (?:conclusion|summary)),? )?(?:(?:we|i) (?:also |further |have )?(?:found|find|observed?|showed?|shown|report(?:ed)?|conclude[sd]?|demonstrated?|noted)|(?:the |our |these |this )?(?:results?|findings?|data|analys[ie]s|study|trial|survey) (?:clearly )?(?:show(?:s|ed)?|demonstrate[sd]?|confirm(?:s|ed)?|reveal(?:s|ed)?|indicate[sd]?|found)) that /i
const LEAD =
  /^(?:in|after|at|with|under|during|among|on|over|by|compared|contrary|relative|overall|however|moreover|furthermore|thus|finally|surprisingly|unexpectedly|interestingly|notably|importantly|as|for|following|within|across|versus|additionally|specifically|again|accordingly)\b[^,]{0,90}, /i
const COMPARED = /^(?:compared|relative|versus|as compared|in (?:comparison|contrast))\b/i
const REFERENCE =
  /(?:^| )(?:than|(?:as |when )?compared (?:with|to|against)|in (?:comparison|contrast) (?:with|to)|versus|vs\.?|relative to|(?:rather|other) than|as opposed to|instead of)(?: |$)/i

const ADVERBS = String.raw`(?:(?:\w+ly|also|further|thus|even|still) )*`
const AMOUNT = String.raw`(?:(?:about |nearly |some |up to )?[\d.,]+(?: ?%| percent| \w+)? )?`
const pattern = (text: string) => new RegExp(text, 'i')
/** Matches 'no difference in falls between …', 'Tablets had no effect on falls', 'no effect of tablets on falls'. */
const NO_CHANGE = pattern(
  String.raw`^(?<subject>.*?)(?:^| )(?:no|not have (?:a|an|any)) (?:evidence (?:of|for) (?:an? |any )?)?${ADVERBS}(?:(?:statistical|significant|clear|measurable|detectable|substantial|meaningful|relevant|apparent|important|further) )?(?<word>${WORDS.nounsAfterNo})s? (?:of (?<agent>.+?) on|in|on|to) (?<object>.*)$`,
)
const NOT = pattern(
  String.raw`^(?<subject>.+?) (?:(?:did|does|do) not|didn['’]t|failed to) ${ADVERBS}(?<word>${WORDS.infinitives})(?: (?<rest>.*))?$`,
)
const STATE = pattern(
  String.raw`^(?<subject>.+?) (?:was|were|is|are|has been|have been|remained) (?<not>not )?${ADVERBS}${AMOUNT}${ADVERBS}(?<word>${WORDS.states}|${WORDS.participles})(?: (?<rest>.*))?$`,
)
const HAD = pattern(
  String.raw`^(?<subject>.+?) (?:had|have|has|showed|experienced|reached|found|led to|resulted in|caused|produced|(?:was|were|is|are) (?<not>not )?${ADVERBS}associated with) (?:an? |the )?${ADVERBS}${AMOUNT}(?<word>${WORDS.comparatives}|${WORDS.quantifiers}|${WORDS.participles}) (?<object>.*)$`,
)
const NOUN = pattern(
  String.raw`^(?<subject>.*?) ?(?:had|showed|achieved|caused|produced|led to|resulted in|there was|there were|we (?:found|observed|saw)|(?:was|were) ${ADVERBS}(?:associated with|followed by)) an? (?:[\d.,]+ ?%-? |[\d.,]+-\w+ |\w+ ){0,3}?(?<word>${WORDS.nouns}) (?:of [\d.,]+ ?(?:%|\w+)? )?in (?<object>.*)$`,
)
const FORMS: readonly (readonly [form: Clause['form'], pattern: RegExp])[] = [
  ['no change', NO_CHANGE],
  ['not', NOT],
  ['state', STATE],
  ['had', HAD],
  ['noun', NOUN],
]
const MOVE = new RegExp(String.raw`(?<=^| )(?:${WORDS.finite})(?= |,|$)`, 'gi')
const COMPARATIVE = new RegExp(`^(?:${WORDS.comparatives})$`, 'i')
const ADVERBS_AT_END = /(?: \w+ly| also| further| thus| even| still)+$/i
/** Matches the words before 'no effect' that name no cause: 'There was', 'We found'. */
const NO_CAUSE = /^there (?:was|were|is)$|^(?:we|i) \w+$|(?:^| )(?:had|have|has|showed|found|made|did|do|does)$/i
/** Matches the text after a verb without object: 'by 12%', 'in the course group', or nothing. */
const NO_OBJECT =
  /^(?:$|(?:by|from|to|in|with|after|during|at|over|for|among|between|more|significantly|substantially|markedly|slightly|steadily|twice|compared|than|relative|under|following|on|within|as|since|across|(?!family|supply|assembly)\w+ly|[\d.,]+)(?: |$))/i
/** Matches the word before a verb form that is no verb of the clause: 'with reduced mobility', 'a drug that reduced falls'. */
const NO_VERB_AFTER =
  /(?:^|[ ,])(?:an?|the|of|with|by|in|to|from|on|for|had|have|has|was|were|is|are|not|and|or|that|which|who|whose|at|under|as|their|its|more|less|no|than|also|very|\w+ly)$/i
const NEGATION = /\b(?:not|no|none|nor|nothing)\b|n['’]t\b/i
/** Matches a cause that only another sentence names. */
const PRONOUN = /^(?:we|i|it|they|this|these|that|those|he|she|there|which|who|one)$/i
/** Matches a change of an outcome that another clause names: 'and increased it at other sites'. */
const CHANGES_PRONOUN = new RegExp(String.raw`\b(?:${WORDS.finite}) (?:it|them|this)\b`, 'i')
/** Matches an adjective after 'more' or 'less': 'more severe pain' is not more pain. */
const ADJECTIVE =
  /^(?:\w+(?:ive|ous|able|ful|ic|ere|ed|ing|ly)|severe|intense|accurate|complete|recent|\w{3,}(?:al|ent|ant)(?= \w))\b/i
const CLAUSE_END = new RegExp(
  String.raw`[;:] |, (?=and |but |yet )|,? (?:and|but) (?=${ADVERBS}(?:${WORDS.finite}|had no|did not|(?:was|were) (?:not )?${ADVERBS}(?:associated|${WORDS.comparatives}))\b)`,
  'i',
)

/**
 * Reads which outcomes an English sentence reports as changed or as different between groups, and in which direction. Returns
 * [] for a sentence that it does not understand with certainty, such as a hedge, a plan, a statement about other work, or about
 * a part of the participants. A change that is not significant is not returned.
 */
export function readFindings(sentence: string): Finding[] {
  const text = withoutParentheses(sentence)
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:])/g, '$1')
    .trim()
    .replace(/[.!]$/, '')
  if (isUncertain(sentence) || CHANGES_PRONOUN.test(text)) return []
  const [lead, body] = withoutLead(text.replace(REPORT, ''))
  let subject = ''
  const found = body.split(CLAUSE_END).flatMap((part) => {
    const [ownLead, own] = withoutLead(part.replace(/^(?:and|but|yet) /i, '').replace(REPORT, ''))
    const clause = CONTINUES.test(own) ? `${subject} ${own}` : own
    const read = readClause(clause, ownLead || lead)
    subject = read?.subject ?? subject
    return read?.findings ?? []
  })
  return isNotSignificant(sentence) ? found.filter(({ direction }) => direction.startsWith('no')) : found
}

const CONTINUES = new RegExp(String.raw`^${ADVERBS}(?:${WORDS.finite}|had|did|was|were)\b`, 'i')

function withoutLead(text: string): [lead: string, body: string] {
  const lead = LEAD.exec(text)?.[0] ?? ''
  return [lead.trim().replace(/,$/, ''), text.slice(lead.length).replace(REPORT, '')]
}

/** Matches the size of a change: 'by 2.1 per 100 person-years'. */
const BY_AMOUNT =
  /(?<!and )\bby (?:about |nearly |some |an? |up to )?[\d.,]+.*?(?=\b(?:with|in|after|under|among|on|for|following|at)\b|$)/gi

interface Clause {
  form: 'no change' | 'not' | 'state' | 'had' | 'noun' | 'move'
  groups: Partial<Record<string, string>>
}

function parseClause(clause: string): Clause | null {
  for (const [form, pattern] of FORMS) {
    const groups = pattern.exec(clause)?.groups
    if (groups) return { form, groups }
  }
  return findMove(clause)
}

function readClause(clause: string, lead: string): { subject: string; findings: Finding[] } | null {
  const parsed = parseClause(clause)
  if (!parsed) return null
  const { form, groups } = parsed
  const { subject = '', word = '', object, rest = object ?? '' } = groups
  const direction = directionOf(word, form === 'no change' || form === 'not' || groups['not'] !== undefined)
  if (direction === null || NEGATION.test(subject) || NEGATION.test(rest.split(REFERENCE)[0]!)) return null
  if (/^(?:more|less)$/i.test(word) && ADJECTIVE.test(rest)) return null
  const hasObject = object !== undefined || (form !== 'state' && takesObject(word, rest))
  const named = takeNounPhrase(hasObject ? rest : subject)
  if (named.phrase === null) return { subject, findings: [] }
  const cause = hasObject ? (groups['agent'] ?? subject.replace(NO_CAUSE, '')) : ''
  if (PRONOUN.test(cause)) return null
  // 'Days with pain' is another quantity than 'days'.
  if (cause !== '' && /^with(?:out)?\b/i.test(named.rest)) return { subject, findings: [] }
  const [after = '', reference = ''] = (hasObject ? named.rest : rest).split(REFERENCE)
  // 'Pain fell by 2.1 points with tablets compared with 2.0 points with placebo' is no difference.
  if (form === 'move' && /^\W*\d/.test(reference)) return { subject, findings: [] }
  const isReference = COMPARED.test(lead)
  // 'Pain with tablets fell' is a change over time.
  const around = `${hasObject || form === 'move' ? '' : named.rest} ${after}`.replace(BY_AMOUNT, '').trim()
  const findings = splitNames(named.phrase).flatMap((name): Finding[] => {
    const outcome = readOutcome(name)
    if (!outcome) return []
    return [
      {
        outcome,
        direction,
        agents: cause ? [cause] : [around, isReference ? '' : lead],
        isCaused: cause !== '',
        reference: isReference ? lead.replace(COMPARED, '') : reference,
        isComparison: form === 'had' || (form === 'state' && COMPARATIVE.test(word)),
      },
    ]
  })
  return { subject, findings }
}

/** Finds the first verb of change in a clause that is a verb of the clause, not a part of a noun phrase. */
function findMove(clause: string): Clause | null {
  for (const { 0: word, index } of clause.matchAll(MOVE)) {
    const subject = clause.slice(0, index).trim()
    if (subject === '' || NO_VERB_AFTER.test(subject.replace(ADVERBS_AT_END, ''))) continue
    const rest = clause.slice(index + word.length).trim()
    return { form: 'move', groups: { subject: subject.replace(ADVERBS_AT_END, ''), word, rest } }
  }
  return null
}

/** Returns whether a word has an object. 'Sleep increased by 12%' has none; 'Tablets increased sleep' has one. */
function takesObject(word: string, rest: string): boolean {
  const object = objectOf(word)
  return object === 'always' || (object === 'either' && !NO_OBJECT.test(rest))
}
