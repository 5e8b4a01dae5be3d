import { findPassages, type LazyText } from '#server/texts/index.ts'
import { ANALYSIS_FIELDS, ANALYSIS_NAMES, UNKNOWN_EVIDENCE_LEVEL, type Analysis } from '#shared/contract/analysis.ts'
import type { Passage, PassageField } from '#shared/contract/passages.ts'
import { splitSentences } from '#shared/passages/sentences.ts'

type Statement = Pick<Passage, 'field' | 'item' | 'statement'>

/** Fields that are printed on the first page. The search for their quotes prefers a match on that page. */
const ON_FIRST_PAGE: ReadonlySet<PassageField> = new Set([
  'title',
  'authors',
  'doi_link',
  'publication_date',
  'journal_name',
  'keywords',
])

/**
 * Returns one passage for each statement of an analysis: the place of its quote in the stored text (see
 * shared/passages/find-passage.ts). For a statement without a quote, searches for the statement itself. If there is no match,
 * the passage has the match 'none'. An unknown evidence level gets no passage.
 */
export async function anchorPassages(
  whose: { person: string; signal?: AbortSignal | undefined },
  text: string | LazyText,
  analysis: Pick<Analysis, 'result' | 'quotes'>,
): Promise<Passage[]> {
  const quotes = new Map(analysis.quotes.map((one) => [`${one.field} ${one.item}`, one]))
  const statements = statementsOf(analysis)
  const found = await findPassages(
    whose,
    text,
    statements.map(({ field, item, statement }) => ({
      quote: quotes.get(`${field} ${item}`)?.quote ?? statement,
      nearPage: ON_FIRST_PAGE.has(field) ? 1 : undefined,
    })),
  )
  return statements.map((statement, index) => ({ ...statement, ...found[index]! }))
}

/**
 * Returns every statement of the result. Summary, recommendation and social post are split into the statements that the model
 * quoted. If it quoted none, they are split into sentences.
 */
function statementsOf({ result, quotes }: Pick<Analysis, 'result' | 'quotes'>): Statement[] {
  return ANALYSIS_NAMES.flatMap((name) => {
    const { field, parts } = ANALYSIS_FIELDS[name]
    const value = result[name]
    if (value === null || (name === 'level_of_evidence' && value === UNKNOWN_EVIDENCE_LEVEL)) return []
    if (typeof value !== 'string') return listed(field, value)
    if (parts === 'value') return value.trim() ? listed(field, [value]) : []
    const named = quotes.filter((one) => one.field === field)
    return named.length > 0
      ? named.map(({ item, statement }) => ({ field, item, statement }))
      : listed(field, sentencesOf(value))
  })
}

const listed = (field: PassageField, values: readonly string[]) =>
  values.map((statement, item) => ({ field, item, statement }))
const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end))
