import { findPassages, type LazyText } from '#server/texts/index.ts'
import { UNKNOWN_EVIDENCE_LEVEL, type Analysis, type AnalysisResult } from '#shared/contract/analysis.ts'
import type { Passage, PassageField } from '#shared/contract/passages.ts'
import { splitSentences } from '#shared/passages/sentences.ts'

type Statement = Pick<Passage, 'field' | 'item' | 'statement'>

/** Fields that are printed on the first page: a match there takes precedence. */
const ON_FIRST_PAGE: ReadonlySet<PassageField> = new Set([
  'title',
  'authors',
  'doi_link',
  'publication_date',
  'journal_name',
  'keywords',
])

/**
 * Returns one passage per statement of an analysis: the place of its quote in the stored text (see
 * shared/passages/find-passage.ts). A statement without a quote is searched by its own words; without a match the passage has
 * match 'none'. An unknown evidence level gets no passage.
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
 * Returns every statement of the result; summary and recommendation split into the model's sentences, else by
 * punctuation.
 */
function statementsOf({ result, quotes }: Pick<Analysis, 'result' | 'quotes'>): Statement[] {
  const named = (field: PassageField) =>
    quotes.filter((one) => one.field === field).map(({ item, statement }) => ({ field, item, statement }))
  const sentences = (field: PassageField, text: string) =>
    named(field).length > 0 ? named(field) : listed(field, sentencesOf(text))
  return [
    ...single('title', result.title),
    ...listed('authors', result.authors),
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
