import type { SQL } from 'drizzle-orm'
import { searchTerms } from '#server/language/search-terms.ts'
import { type LibrarySearchQuery, PASSAGES_OF_PAPER, type SearchFilter } from '#shared/contract/library-search.ts'
import { isField, type SearchCondition, type SearchQuery } from '#shared/contract/search-query.ts'
import { documentFilter, documentsOfField, FILTERS } from './filter-queries.ts'
import { expressionOf } from './phrase-expression.ts'
import type { Condition, Covered, PassageConditions, Scope } from './scope-queries.ts'

/** A search with the conditions for the database. */
export interface Asked {
  query: LibrarySearchQuery
  parsed: SearchQuery
  covered: Covered
  conditions: PassageConditions
  /**
   * The papers that match a condition for which a passage with a word or phrase is an alternative ('title:naps OR sleep'), as
   * an SQL condition on a document `d`; null if there are none. Their first passages are results, too.
   */
  alternatives: SQL | null
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
  const ofPapers = parsed.required.filter((group) => group.every(isField))
  const ofPassages = parsed.required.filter((group) => !group.every(isField))
  const excludedFields = parsed.excluded.filter(isField)
  const excluded = parsed.excluded.flatMap((one) => (one.kind === 'word' || one.kind === 'phrase' ? [one] : []))
  const required = ofPassages.map((group) => group.map(conditionOf))
  const alternatives = ofPassages.map((group) => group.filter(isField)).filter((group) => group.length > 0)
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
    alternatives:
      alternatives.length > 0 ? documentFilter(query, [...ofPapers, ...alternatives], excludedFields) : null,
    neededTerms: new Set(required.flat().flatMap((one) => ('terms' in one ? one.terms : []))),
    mostOfPaper: query.document_id ? Infinity : PASSAGES_OF_PAPER,
    used: new Set(parsed.required.length + parsed.excluded.length > 0 ? [...used, 'query'] : used),
  }
}

/** Returns whether an excluded text is a phrase. A word with several terms, such as 'COVID-19' or '糖尿病患者', is a phrase. */
const isPhrase = ({ kind, text }: { kind: SearchCondition['kind']; text: string }) =>
  kind === 'phrase' || searchTerms(text).length > 1

function conditionOf(condition: SearchCondition): Condition {
  if (condition.kind !== 'phrase' && condition.kind !== 'word') return { documents: documentsOfField(condition) }
  const terms = [...new Set(searchTerms(condition.text))]
  // A word has the terms that a search for the word alone has: 'naps' also matches 'nap'.
  const isOfTerms = condition.kind === 'word' && terms.length > 0
  return { terms, expression: isOfTerms ? null : expressionOf(condition.text) }
}
