/** The kinds of values that a question can ask for, and the sentences that contain them. */
export const KINDS = {
  number:
    /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|half|third|quarter|twice)\b/iu,
  date: /\b(?:1[5-9]|20)\p{N}{2}\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:week|month|day|year|morning|evening)s?\b/iu,
  money:
    /[€$£¥]\s?\p{N}|\p{N}\s?[€$£¥]|\b(?:euros?|dollars?|pounds?|crowns?|francs?|rupees?|yen|yuan|cents?|usd|eur|gbp|chf)\b/iu,
  list: /,[^,;]+(?:,| and | or )|;|:\s/u,
} as const

const ASKS: readonly [kind: keyof typeof KINDS, asks: RegExp][] = [
  ['date', /^when\b|\b(?:which|what) (?:year|date|day|month|time)\b|\bsince when\b/i],
  [
    'money',
    /\b(?:how much|what)\b.*\b(?:costs?|prices?|paid|pay|fees?|wages?|salar(?:y|ies)|earn)\b|\bhow (?:expensive|cheap)\b/i,
  ],
  [
    'number',
    /\bhow (?:many|much|long|old|often|far|large|big|small|high|tall|fast|few|late|early|deep|wide|heavy|strong|accurate)\b|\b(?:what|which) (?:[\p{L}-]+ ){0,2}?(?:share|percentage|proportion|fraction|number|ratio|rate|score|age|size|length|level|value|coefficient|correlation|threshold)\b/iu,
  ],
  ['list', /\bwhich\b|\bwhat (?:are|were)\b|\bwhat (?:kinds|types|sorts)\b/i],
]

/**
 * Returns whether a question asks for a date, money, a number or a list ('when', 'what does it cost', 'how many', 'which'); null
 * for other questions.
 */
export const questionKind = (question: string): keyof typeof KINDS | null =>
  ASKS.find(([, asks]) => asks.test(question))?.[0] ?? null

/** Returns whether a question asks for a number, also of money. */
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
