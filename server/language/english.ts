import { isFrequentWord, rankOf } from './rare-words.ts'

/** Matches frequent function words. They make up at least 20 % of the words of an English text. */
const ENGLISH =
  /\b(?:the|of|and|to|in|is|are|was|were|did|does|do|what|which|how|who|why|when|where|with|for|that|be|an?|can|could|has|have|by|from|at|on)\b/gi

/** Returns whether a text is English, by its share of function words. */
export function isEnglishText(text: string): boolean {
  const words = text.match(/\p{L}+/gu)?.length ?? 0
  return words > 0 && (text.match(ENGLISH)?.length ?? 0) >= 0.2 * words
}

/** Matches a question, or a part of it after punctuation, that begins with a word that only English questions contain. */
const ENGLISH_START =
  /(?:^|[.,:;] (?:and |but |so |or )?)(?:did|does|could|which|what|how|why|when|where|who|whose|were|should|would|summari[sz]e) /i
/** Matches a question that begins with a word that other languages also have: 'Do' (Portuguese, Polish), 'Compare' (French). */
const SHARED_START = /^(?:do|can|have|compare|list|name|are|is|was|has|will) /i
/** Matches names and terms of English texts that contain words of other languages: 'van der Waals', 'de novo'. */
const BORROWED =
  /(?<!\p{L})(?:de novo|de facto|de[rn]? \p{Lu}\p{L}*|(?:d[aiu]|del|dos|l[ae]|el) \p{Lu}\p{L}*|en (?:bloc|masse|route)|et al|naïve|cafés?|façades?)(?!\p{L})/gu
/**
 * Matches frequent words of other languages, such as 'das', and words in lower case with an accented or other letter outside of
 * the English alphabet, such as 'caféine'.
 */
const FOREIGN =
  /[¿¡]|(?<![\p{L}.-])(?:de[lmrs]?|da|das|dass|dat|dit|di|dos|du|la|les?|los|las|el|il|un[ae]?|et|er|en|een|eine?[mnrs]?|het|ist|und|wurden?|fand|que|qui|quel(?:le)?s?|quoi|ces|leurs?|deux|os|na|nie|czy|jaki?(?:e|ch)?|je|si|(?!\p{Lu})(?:[a-z]|\p{Script=Greek})*(?!\p{Script=Greek})[^\P{L}a-zA-Z]\p{L}*)(?![\p{L}-])/u
const ENGLISH_WORD = /\b(?:the|and|with|from|than|that|this|these|there)\b/
/** Matches a first word with which Dutch, German and Spanish questions also begin: 'Is thee slecht?', 'Was bewirkt Yoga?'. */
const FOREIGN_START = /^(?:is|was|has|will|list|name) /i
/** Matches prepositions that Dutch, German and Spanish do not have. */
const ENGLISH_PREPOSITION = / (?:as|by|for|to) /
/** Matches adjectives such as 'addictive'. In Dutch and German, they have other endings. */
const ENGLISH_ENDING = /(?:ive|able|ible|ful|less|ous|ic|ary)$/
/** Minimum share of frequent English words among the longer words of a question. In most English questions it is above 0.6. */
const LEAST_FREQUENT = 0.3
/** The share above which frequent English words are sufficient after FOREIGN_START. */
const MOST_FREQUENT = 0.5
/** Index in the vocabulary before which words are English. Later words can be Dutch or Spanish, as 'vis' and 'bien'. */
const ENGLISH_WORDS = 16_000

/**
 * Returns whether a question is English. A first word such as 'Does' is sufficient, because a short question can have few
 * function words. Other questions must also have frequent English words, and no word of another language.
 */
export const isEnglishQuestion = (question: string): boolean =>
  ENGLISH_START.test(question) ||
  ((isEnglishText(question) || SHARED_START.test(question)) &&
    !FOREIGN.test(question.replaceAll(BORROWED, ' ')) &&
    (ENGLISH_WORD.test(question) || hasEnglishWords(question)))

function hasEnglishWords(question: string): boolean {
  const words = question.replace(SHARED_START, '').match(/(?<!\p{L})\p{Ll}{3,}/gu) ?? []
  const share = (length: number) => {
    const counted = words.filter((word) => word.length >= length)
    return counted.filter(isEnglishWord).length / Math.max(1, counted.length)
  }
  if (FOREIGN_START.test(question))
    return ENGLISH_PREPOSITION.test(question) || endsInEnglish(question) || share(4) > MOST_FREQUENT
  return share(SHARED_START.test(question) ? 3 : 4) > LEAST_FREQUENT
}

const isEnglishWord = (word: string) => isFrequentWord(word) || ENGLISH_ENDING.test(word)

/** Returns whether the last word, which is the predicate of a question such as 'Is tea bad?', is English. */
function endsInEnglish(question: string): boolean {
  const word = question.match(/(?<![\p{L}-])\p{Ll}{3,}(?=\P{L}*$)/u)?.[0]
  return word !== undefined && (rankOf(word) < ENGLISH_WORDS || ENGLISH_ENDING.test(word))
}
