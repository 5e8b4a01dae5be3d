import { detectLanguage } from '#server/ai/index.ts'

/** Shorter searches have too few function words to tell their language. */
const LEAST_WORDS = 3

/** Returns whether a search is in another language than English, by its function words or its script. */
export function isOtherLanguage(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters > 2 * latin) return true
  if ((text.match(/\p{L}+/gu)?.length ?? 0) < LEAST_WORDS) return false
  return !['eng', 'und'].includes(detectLanguage(text))
}
