/** Matches words of a question about money. */
const NAMES_COSTS =
  /\b(?:costs?|prices?|priced|paid|pays?|charged?|fees?|expensive|costly|cheap|euros|dollars|pounds|francs)\b/i
/**
 * Matches a question for an amount of money: 'How much did it cost?', 'What was the price of the gel?', 'What do carers pay?'
 */
const ASKS_FOR_AMOUNT =
  /^(?:(?:and|so|but) )?(?:how (?:much|many (?:euros|dollars|pounds|francs)|expensive|costly|cheap)\b|(?:at )?what (?:is|are|was|were) (?:the |their |its )?(?:[\p{L}-]+ ){0,3}?(?:costs?|prices?|fees?)\b|(?:at )?what (?:costs?|prices?|fees?)\b|what (?:do|does|did|would|will) [^?]*\b(?:cost|pay|charge)\b)/iu
/**
 * Matches words for a change or an effect. A question with such a word does not ask for an amount of money: 'How much did costs
 * fall?'
 */
const COSTS_CHANGE =
  /\b(?:fall|fell|rise|rose|increas\w*|decreas\w*|reduc\w*|chang\w*|differ\w*|grow|grew|drop(?:ped)?|affect\w*|effects?)\b/i

/** Matches a question for the things that are paid for, not for an amount: 'What does the programme pay for?' */
const ASKS_WHAT_FOR = /\bpay for\W*$/i

/** Nouns in '-ing' for goods and services, which have a price. */
const SERVICES =
  'building|caregiving|clothing|cooling|counsell?ing|engineering|farming|fencing|financing|funding|genotyping|heating|housing|imaging|lighting|manufacturing|monitoring|mining|nursing|packaging|parking|phenotyping|printing|processing|publishing|recycling|schooling|screening|sequencing|shipping|spring|string|teaching|testing|training|wedding'
/** Matches costs in the sense of consequences: 'the costs of not sleeping', 'the cost of being certain'. */
const CONSEQUENCES = new RegExp(String.raw`\bcosts? of (?:not|never|(?!(?:${SERVICES})\b)\p{L}{2,}ing)\b`, 'iu')
const NAMES_MONEY =
  /\bhow (?:much|many|high)\b|\b(?:prices?|money|monetary|financial|per|euros?|dollars?|pounds?|francs?|EUR|USD|GBP|CHF)\b|[€$£¥₹]/i

/** Returns whether the word 'cost' of a question means consequences and not money: 'What are the costs of not sleeping?' */
export const asksForConsequences = (question: string): boolean =>
  CONSEQUENCES.test(question) && !NAMES_MONEY.test(question)

/** Returns whether a question asks for an amount of money. */
export const asksForAmount = (question: string): boolean =>
  NAMES_COSTS.test(question) &&
  ASKS_FOR_AMOUNT.test(question) &&
  !asksForConsequences(question) &&
  !COSTS_CHANGE.test(question) &&
  !ASKS_WHAT_FOR.test(question)

/**
 * Matches words for harms. Does not match 'patients with complications', which is a group, and 'safety' in a name: 'a safety
 * leaflet'.
 */
const NAMES_HARM = new RegExp(
  [
    String.raw`\b(?:side[- ]?effects?|(?:unwanted|undesirable|harmful) (?:effects?|events?)|harm(?:s|ed|ful|less)?|(?:un)?safe(?:ly)?|toxic(?:ity)?|tolerated|tolerability)\b`,
    String.raw`\badverse (?:\p{L}+ )?(?:events?|effects?|reactions?|outcomes?)\b`,
    String.raw`\bsafety(?= (?:of|profile|concerns?|problems?|issues?|outcomes?|events?|data|findings?)\b|\W*$)`,
    String.raw`(?<!\bwith (?:\p{L}+ )?)\bcomplications?\b`,
    String.raw`(?<!how )\bdangerous\b`,
  ].join('|'),
  'iu',
)
/**
 * Matches words of questions that contain a word for harms but do not ask which harms occurred: questions about the prevention,
 * the causes or the recording of harms, or about a group, a time or a place.
 */
const ASKS_BESIDE_HARM =
  /\b(?:reduce|prevent|avoid|lower|fewer|less|causes? of|risk factors?|define[ds]?|recorded|measured|collected|assessed|monitored|why|ke(?:ep|eps|pt)|ma(?:ke|kes|de)|how (?:can|do|does|should|to))\b|\bwhat (?:harms|harmed)\b|\bwh(?:ich|at) (?:patients|people|participants|adults|children|users)\b|\bharm(?:s|ed)? (?:the |their |our |an? )?(?:health|people|children|adults|patients|bab(?:y|ies)|animals|plants)\b|^(?:when|where|who|how (?:long|soon|far))\b/i

/** Returns whether a question asks for harms of a treatment, or for its safety. */
export const asksForHarm = (question: string): boolean => NAMES_HARM.test(question) && !ASKS_BESIDE_HARM.test(question)
