/** Matches frequent function words. They make up at least 20 % of the words of an English text. */
const ENGLISH =
  /\b(?:the|of|and|to|in|is|are|was|were|did|does|do|what|which|how|who|why|when|where|with|for|that|be|an?|can|could|has|have|by|from|at|on)\b/gi

/** Returns whether a text is English, by its share of function words. */
export function isEnglishText(text: string): boolean {
  const words = text.match(/\p{L}+/gu)?.length ?? 0
  return words > 0 && (text.match(ENGLISH)?.length ?? 0) >= 0.2 * words
}

/** Matches a question, or a part of one after punctuation, that begins with a word with which only English questions begin. */
const ENGLISH_START =
  /(?:^|[.,:;] (?:and |but |so |or )?)(?:did|does|do|can|could|which|what|how|why|when|where|who|whose|are|were|should|would|have|compare|list|name|summari[sz]e) /i
/** Matches a question that begins with a word that is also German or Dutch. ENGLISH_WORD must then match, too. */
const SHARED_START = /^(?:is|was|has|will) /i
const ENGLISH_WORD =
  /\b(?:the|to|with|for|by|from|at|or|than|more|less|fewer|after|before|any|there|this|these|between|during|used)\b/i
const FOREIGN = /[¿¡]|\b(?:der|das|und|ist|het|een)\b/i

/**
 * Returns whether a question is English. Its first word counts, too, because a short question can have few function words: 'Do
 * solar lamps raise study time?'
 */
export const isEnglishQuestion = (question: string): boolean =>
  isEnglishText(question) ||
  (!FOREIGN.test(question) &&
    (ENGLISH_START.test(question) || (SHARED_START.test(question) && ENGLISH_WORD.test(question))))
