import { searchTerms } from '#server/language/search-terms.ts'
import { numbersWithout } from '#server/texts/index.ts'
import type { SentenceMark } from '#shared/contract/conversations.ts'
import type { Evidence } from '#shared/contract/evidence.ts'

/** Matches a number that is followed by a percent sign or 'percent'. */
const PERCENTAGE = /\p{N}+(?:[.,]\p{N}+)*(?=\s*(?:%|％|per ?cent\b))/giu
const PERCENT_SIGN = /[%％]|per ?cent/giu
/** Matches the number, list or range before a percent sign, as in '12 to 15 %', or the word, as in 'twenty percent'. */
const BEFORE_SIGN =
  /(?:\p{N}+(?:[.,]\p{N}+)*|\p{L}+)(?:(?:,\s+|\s*[–-]\s*|\s+(?:to|and|or|versus|vs\.?|against)\s+)\p{N}+(?:[.,]\p{N}+)*)*\s*$/iu
/**
 * Maximum length of the text before a percent sign that BEFORE_SIGN reads, in characters. The time of this expression is
 * quadratic in the length.
 */
const LONGEST_LIST = 80
/** Matches a negation. It applies to words at a distance of at most REACH words. */
const NEGATION = /^(?:not|no|never|without|cannot|neither|nor|\p{L}+n['’]t)$/iu
const REACH = 5

/**
 * Returns the doubts about a sentence of an answer: quotes that were found only approximately, numbers that no quote contains,
 * and words that occur in the sentence and in a quote but are negated in only one of the two (English negations).
 */
export function findDoubts(text: string, quotes: readonly Pick<Evidence, 'quote' | 'match'>[]): SentenceMark[] {
  const source = quotes.map(({ quote }) => quote).join('\n')
  const approximate = quotes.filter(({ match }) => match === 'approximate').map(({ quote }) => quote)
  const numbers = [...new Set([...numbersWithout(text, source), ...percentagesWithout(text, source)])]
  const negated = negationDoubts(
    text,
    quotes.map(({ quote }) => quote),
  )
  return [
    ...(approximate.length > 0 ? [{ kind: 'near' as const, words: approximate }] : []),
    ...(numbers.length > 0 ? [{ kind: 'number' as const, words: numbers }] : []),
    ...(negated.length > 0 ? [{ kind: 'negation' as const, words: negated }] : []),
  ]
}

/** Returns the percentages in `text` that `source` does not contain as percentages. */
const percentagesWithout = (text: string, source: string): string[] =>
  numbersWithout((text.match(PERCENTAGE) ?? []).join('; '), percentagesOf(source))

const percentagesOf = (source: string): string =>
  [...source.matchAll(PERCENT_SIGN)]
    .map(({ index }) => BEFORE_SIGN.exec(source.slice(Math.max(0, index - LONGEST_LIST), index))?.[0] ?? '')
    .join('; ')

/**
 * Returns words that both the sentence `text` and a quote contain, and that are negated either in a quote and not in the
 * sentence, or in the sentence and in no quote. Empty if both the sentence and a quote contain a negation.
 */
function negationDoubts(text: string, quotes: readonly string[]): string[] {
  const own = negatedTerms(text)
  const ofText = new Set(searchTerms(text))
  if (own.size === 0) {
    const words = quotes.flatMap((quote) => [...negatedTerms(quote)].filter(([term]) => ofText.has(term)))
    return [...new Set(words.map(([, word]) => word))]
  }
  if (quotes.some((quote) => negatedTerms(quote).size > 0)) return []
  const ofQuotes = new Set(quotes.flatMap((quote) => searchTerms(quote)))
  return [...own].filter(([term]) => ofQuotes.has(term)).map(([, word]) => word)
}

/**
 * Returns the search terms of the words near a negation (at most REACH words away). The value of each term is its word in the
 * text.
 */
function negatedTerms(text: string): Map<string, string> {
  const words = text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []
  const negated = new Map<string, string>()
  for (const [at, word] of words.entries()) {
    const isFailure = /^fail(?:s|ed)?$/i.test(word) && /^to$/i.test(words[at + 1] ?? '')
    if (!NEGATION.test(word) && !isFailure) continue
    for (const near of words.slice(Math.max(0, at - REACH), at + REACH + 1))
      for (const term of searchTerms(near)) negated.set(term, near)
  }
  return negated
}
