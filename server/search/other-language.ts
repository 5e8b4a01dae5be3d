import { detectLanguage } from '#server/ai/index.ts'

/** Minimum number of words for the detection of a language. Shorter searches have too few function words. */
const LEAST_WORDS = 3
/**
 * Matches single letters, abbreviations and codes, such as 'X-ray', 'LA' and 'G2019S'. They are removed before the detection of
 * the language, because many are also words of other languages.
 */
const CODES = /(?<![\p{L}\p{N}])(?:\p{L}|\p{Lu}{2,}|\p{L}*\p{N}[\p{L}\p{N}]*)(?![\p{L}\p{N}])/gu
/**
 * Matches function words of other languages that English texts also use: 'de novo', 'en masse', 'et al.', 'non-coding', 'per
 * os'.
 */
const SHARED =
  /(?<!\p{L})(?:ad|al|an|de|del|die|den|en|et|font|hat|la|le|les|li|man|no|non|novo|os|per|pro|sans|se|so|son|van|von|was)(?!\p{L})/giu

/** Returns whether a search is in another language than English, by its function words or its script. */
export function isOtherLanguage(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters > 2 * latin) return true
  if ((text.match(/\p{L}+/gu)?.length ?? 0) < LEAST_WORDS) return false
  return !['eng', 'und'].includes(detectLanguage(text.replace(CODES, ' ').replace(SHARED, ' ')))
}
