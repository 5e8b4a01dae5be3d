import { searchTerms } from '#server/language/search-terms.ts'
import { findKeyphrases } from './keyphrases.ts'
import { detectLanguage, stopwordsOf } from './language.ts'

const MOST = 8
/** Matches words of questions that do not name a subject. A search for them would match almost every paper. */
const ASKING =
  /^(?:affect\w*|influenc\w*|impact\w*|effect(?:s|ive|ively|iveness)?|role|improv\w*|reduc\w*|increas\w*|decreas\w*|help\w*|caus\w*|prevent\w*|protect\w*|carr(?:y|ies)|compar\w*|associat\w*|relat\w*|understand(?:s|ing)?|explain\w*|depend\w*|lead|leads|part|factors?|best|better|most|ways?|evidence|state|current|possible|relevant|important|over|under|years?|old)$/i

/**
 * Returns the subjects of a research question, most specific first: its key phrases, then its remaining content words.
 * At most eight. A content word that a key phrase contains is not repeated.
 */
export function findSearchPhrases(question: string): string[] {
  const detected = detectLanguage(question)
  // A short question has too few stopwords to detect its language: assume English.
  const language = detected === 'und' ? 'eng' : detected
  const phrases = findKeyphrases([], question, '', language)
    .map((phrase) => withoutAsking(phrase))
    .filter(Boolean)
  const used = new Set(phrases.flatMap((phrase) => phrase.toLowerCase().split(' ')))
  const stopwords = stopwordsOf(language)
  const rest = (question.match(/\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*/gu) ?? []).filter((word) => {
    const small = word.toLowerCase()
    const saysNothing = stopwords.has(small) || ASKING.test(word) || searchTerms(word).length === 0 || word.length < 2
    if (used.has(small) || saysNothing) return false
    used.add(small)
    return true
  })
  return [...phrases, ...rest].slice(0, MOST)
}

/** Removes the words of ASKING from a phrase: 'API patterns' for 'API patterns influence'. */
function withoutAsking(phrase: string): string {
  return phrase
    .split(' ')
    .filter((word) => !ASKING.test(word))
    .join(' ')
}
