/** Matches frequent function words. They make up at least 20 % of the words of an English text. */
const ENGLISH =
  /\b(?:the|of|and|to|in|is|are|was|were|did|does|do|what|which|how|who|why|when|where|with|for|that|be|an?|can|could|has|have|by|from|at|on)\b/gi

/** Returns whether a text is English, by its share of function words. */
export function isEnglishText(text: string): boolean {
  const words = text.match(/\p{L}+/gu)?.length ?? 0
  return words > 0 && (text.match(ENGLISH)?.length ?? 0) >= 0.2 * words
}
