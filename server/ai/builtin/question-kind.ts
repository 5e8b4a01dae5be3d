import { asksForConsequences } from '#server/language/harms-and-costs.ts'

const CODES = 'EUR|USD|GBP|CHF|SEK|NOK|DKK|JPY|CNY|INR|AUD|CAD|NZD|PLN|CZK|BRL|ZAR|KES'
const COUNTS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion'
/**
 * Matches an amount of money: '€212', 'US$ 0.04', 'EUR 40', '1,200 US dollars', '3.5 million euros', 'two pence'. Does not
 * match pounds as a weight: 'ten pounds heavier'.
 */
const AMOUNT = new RegExp(
  [
    String.raw`[€$£¥₹]\s?\p{N}|\p{N}\s?[€£¥₹$]`,
    String.raw`\b(?:${CODES}|Fr\.|Rs\.?)\s?\p{N}`,
    String.raw`(?:\p{N}|\b(?:${COUNTS}))(?:[\s-](?:${COUNTS})){0,6}\s?(?:(?:US|American|Canadian|Australian|Swiss|British|Danish|Swedish|Norwegian|Hong Kong) )?(?:${CODES}|euros?|dollars?|pounds?(?! (?:of|lighter|heavier|in weight|less|more)\b)|francs?|crowns?|kron(?:or|er|a)|rupees?|yen|yuan|pesos?|shillings?|cents?|pence)\b`,
  ].join('|'),
  'iu',
)

/** The kinds of values that a question can ask for. The pattern of a kind matches sentences that contain such a value. */
export const KINDS = {
  number:
    /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|half|third|quarter|twice)\b/iu,
  date: /\b(?:1[5-9]|20)\p{N}{2}\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:week|month|day|year|morning|evening)s?\b/iu,
  money: AMOUNT,
  list: /,[^,;]+(?:,| and | or )|;|:\s/u,
} as const

const ASKS: readonly [kind: keyof typeof KINDS, asks: RegExp][] = [
  ['date', /^when\b|\b(?:which|what) (?:year|date|day|month|time)\b|\bsince when\b/i],
  [
    'money',
    /\b(?:how much|what)\b.*\b(?:costs?|prices?|paid|pay|charged?|fees?|wages?|salar(?:y|ies)|earn)\b|\bhow (?:expensive|costly|cheap)\b/i,
  ],
  [
    'number',
    /\bhow (?:many|much|long|old|often|far|large|big|small|high|tall|fast|few|late|early|deep|wide|heavy|strong|accurate)\b|\b(?:what|which) (?:[\p{L}-]+ ){0,2}?(?:share|percentage|proportion|fraction|number|ratio|rate|score|age|size|length|level|value|coefficient|correlation|threshold)\b/iu,
  ],
  ['list', /\bwhich\b|\bwhat (?:are|were)\b|\bwhat (?:kinds|types|sorts)\b/i],
]

/**
 * Returns the kind of value that a question asks for: a date ('when'), money ('what does it cost'), a number ('how many') or a
 * list ('which'); null for other questions.
 */
export const questionKind = (question: string): keyof typeof KINDS | null =>
  ASKS.find(([kind, asks]) => asks.test(question) && !(kind === 'money' && asksForConsequences(question)))?.[0] ?? null

/** Returns whether a question asks for a number or an amount of money. */
export function asksForNumber(question: string): boolean {
  const kind = questionKind(question)
  return kind === 'number' || kind === 'money'
}

/** Returns whether a question asks for an effect: 'Does the drug reduce pain?', 'How did recall change?' */
export const asksForEffect = (question: string): boolean =>
  /^(?:and |but )?(?:did|do|does|is|are|was|were|can|could|will|has|have|how (?:do|does|did)|what (?:is|was) the effect)\b/i.test(
    question,
  )

/** Returns whether a question asks how something changed, which a number answers best: 'How did recall change?' */
export const asksForChange = (question: string): boolean =>
  /^how (?:do|does|did)\b.*\b(?:change|affect|influence|differ)\b/i.test(question)
