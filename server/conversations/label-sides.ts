import { searchTerms } from '#server/language/search-terms.ts'
import type { Evidence } from '#shared/contract/evidence.ts'
import { findDoubts } from './doubts.ts'

type Quote = Pick<Evidence, 'document_id' | 'quote' | 'match'>

/** A side of a disagreement: the phrase of the model, as in 'report longer sleep', and the quotes of its sentences. */
interface Side {
  phrase: string
  quotes: readonly Quote[]
}

const REPORTS =
  /^(?:reports?|reported|finds?|found|shows?|showed|observed?|observes|suggests?|suggested)\s+(?:that\s+)?/i
const OTHERWISE = 'otherwise'

/**
 * Returns a label for each side of a disagreement between papers. The label is '2 papers report longer sleep' if the phrase of
 * the model ('longer sleep') is supported: the quotes of each paper of the side contain all words of the phrase, and there is
 * no doubt about a number or a negation. Otherwise the label is 'Position 1 (2 papers)'. If there are two sides and one has a
 * supported phrase, the phrase 'otherwise' of the second one counts as supported. `areRead`: true for phrases of the built-in
 * model, such as 'a decrease in falls'. Rules derive them from the quotes, so their words need not occur in the quotes.
 */
export function labelSides(sides: readonly Side[], { areRead = false } = {}): string[] {
  const phrases = sides.map(({ phrase }) => phrase.replace(REPORTS, '').trim())
  const shown = sides.map(({ quotes }, at) => areRead || isSupported(phrases[at]!, quotes))
  return sides.map(({ quotes }, at) => {
    const papers = new Set(quotes.map(({ document_id }) => document_id)).size
    const isOpposite = sides.length === 2 && shown[1 - at]! && phrases[at]!.toLowerCase() === OTHERWISE
    if (shown[at] || isOpposite)
      return papers === 1 ? `1 paper reports ${phrases[at]}` : `${papers} papers report ${phrases[at]}`
    return `Position ${at + 1} (${papers} ${papers === 1 ? 'paper' : 'papers'})`
  })
}

function isSupported(phrase: string, quotes: readonly Quote[]): boolean {
  const terms = new Set(searchTerms(phrase))
  if (terms.size === 0 || quotes.length === 0) return false
  return [...Map.groupBy(quotes, ({ document_id }) => document_id).values()].every((own) => {
    const known = new Set(own.flatMap(({ quote }) => searchTerms(quote)))
    const doubts = findDoubts(phrase, own).filter(({ kind }) => kind !== 'near')
    return [...terms].every((term) => known.has(term)) && doubts.length === 0
  })
}
