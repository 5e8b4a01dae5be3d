import { findPassages, type LazyText } from '#server/texts/index.ts'
import { UNKNOWN_EVIDENCE_LEVEL, type Analysis, type AnalysisResult } from '#shared/analysis.ts'
import type { Passage, PassageField } from '#shared/passages.ts'
import { splitSentences } from '#shared/sentences.ts'

type Statement = Pick<Passage, 'field' | 'item' | 'statement'>

/** Fields that a paper prints on its first page: of several places there the first page's is meant. */
const ON_FIRST_PAGE: ReadonlySet<PassageField> = new Set([
  'title',
  'doi_link',
  'publication_date',
  'journal_name',
  'keywords',
])

/**
 * One passage for each statement of an analysis: the place of the words it is said to rest on, found in the stored text
 * alone (see shared/find-passage.ts). A statement that came without such words is looked up by its own; what is not in
 * the text has match 'none'. An unknown evidence level is no statement.
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

/** Every statement of the result; summary and recommendation by the sentences the model named, else by their own. */
function statementsOf({ result, quotes }: Pick<Analysis, 'result' | 'quotes'>): Statement[] {
  const named = (field: PassageField) =>
    quotes.filter((one) => one.field === field).map(({ item, statement }) => ({ field, item, statement }))
  const sentences = (field: PassageField, text: string) =>
    named(field).length > 0 ? named(field) : listed(field, sentencesOf(text))
  return [
    ...single('title', result.title),
    ...single('doi_link', result.doi),
    ...single('publication_date', result.publication_date),
    ...single('journal_name', result.journal),
    ...sentences('summary', result.summary),
    ...listed('insights', result.insights),
    ...sentences('lifestyle_recommendations', result.recommendation),
    ...single('evidence_level', knownLevel(result)),
    ...listed('keywords', result.keywords),
    ...sentences('social_post', result.social_post),
  ]
}

const knownLevel = (result: AnalysisResult) =>
  result.level_of_evidence === UNKNOWN_EVIDENCE_LEVEL ? null : result.level_of_evidence
const single = (field: PassageField, value: string | null) =>
  value?.trim() ? [{ field, item: 0, statement: value }] : []
const listed = (field: PassageField, values: readonly string[]) =>
  values.map((statement, item) => ({ field, item, statement }))
const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end))
