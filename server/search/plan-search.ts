import { searchTerms } from '#server/language/search-terms.ts'
import { type LibrarySearchQuery, PASSAGES_OF_PAPER, type SearchFilter } from '#shared/contract/library-search.ts'
import type { SearchCondition, SearchQuery } from '#shared/contract/search-query.ts'
import { UNSPACED } from '#shared/passages/whole-words.ts'
import { documentFilter, documentsOfField, FILTERS } from './filter-queries.ts'
import type { Condition, Covered, PassageConditions, Scope } from './scope-queries.ts'

/** A search with the conditions for the database. */
export interface Asked {
  query: LibrarySearchQuery
  parsed: SearchQuery
  covered: Covered
  conditions: PassageConditions
  /** The terms of phrases and required words, which the search by words always reads. */
  neededTerms: ReadonlySet<string>
  /** Maximum number of passages of one paper. */
  mostOfPaper: number
  /** The filters that are set. */
  used: ReadonlySet<SearchFilter>
}

/**
 * Divides the conditions of a search into conditions on papers (`covered`) and conditions on passages (`conditions`), and
 * returns them with the rest of the search.
 */
export function planSearch(query: LibrarySearchQuery, parsed: SearchQuery, scope: Scope): Asked {
  const isField = (one: SearchCondition) => one.kind !== 'word' && one.kind !== 'phrase'
  const ofPapers = parsed.required.filter((group) => group.every(isField))
  const ofPassages = parsed.required.filter((group) => !group.every(isField))
  const excludedFields = parsed.excluded.filter(isField)
  const excluded = parsed.excluded.flatMap((one) => (one.kind === 'word' || one.kind === 'phrase' ? [one] : []))
  const required = ofPassages.map((group) => group.map(conditionOf))
  const used = Object.entries(FILTERS).flatMap(([name, condition]) =>
    condition(query) === undefined ? [] : [name as SearchFilter],
  )
  return {
    query,
    parsed,
    covered: { scope, filter: documentFilter(query, ofPapers, excludedFields) },
    conditions: {
      required,
      excludedTerms: excluded.flatMap((one) => (isPhrase(one) ? [] : searchTerms(one.text))),
      excludedExpressions: excluded.flatMap((one) => (isPhrase(one) ? [expressionOf(one.text)] : [])),
    },
    neededTerms: new Set(required.flat().flatMap((one) => ('terms' in one ? one.terms : []))),
    mostOfPaper: query.document_id ? Infinity : PASSAGES_OF_PAPER,
    used: new Set(parsed.required.length + parsed.excluded.length > 0 ? [...used, 'query'] : used),
  }
}

/** Returns whether an excluded text is a phrase. A word with several terms, such as 'COVID-19' or '糖尿病患者', is a phrase. */
const isPhrase = ({ kind, text }: { kind: SearchCondition['kind']; text: string }) =>
  kind === 'phrase' || searchTerms(text).length > 1

function conditionOf(condition: SearchCondition): Condition {
  if (condition.kind === 'phrase' || condition.kind === 'word')
    return { expression: expressionOf(condition.text), terms: [...new Set(searchTerms(condition.text))] }
  return { documents: documentsOfField(condition) }
}

/**
 * Returns the regular expression of a phrase for PostgreSQL: its words in order, with one or more characters other than letters
 * and digits between them. In scripts without spaces between words, such as Chinese, a phrase can begin and end within a run of
 * letters.
 */
function expressionOf(phrase: string): string {
  const words = phrase.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const edge = (border: string, letter = '') => (UNSPACED.test(letter) ? '' : border)
  return edge('\\m', words[0]?.at(0)) + words.join('[^[:alnum:]]+') + edge('\\M', words.at(-1)?.at(-1))
}
