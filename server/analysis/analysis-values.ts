import { ANALYSIS_FIELDS, ANALYSIS_NAMES, type Analysis } from '#shared/contract/analysis.ts'
import type { Passage, PassageField } from '#shared/contract/passages.ts'
import type { RunValue } from '#shared/contract/runs.ts'

/** The labels of the analysis fields as shown in a run (the stored input and output of an analysis). */
const LABELS: Readonly<Record<PassageField, string>> = {
  title: 'Title',
  authors: 'Authors',
  doi_link: 'DOI',
  publication_date: 'Publication date',
  journal_name: 'Journal',
  summary: 'Summary',
  insights: 'Insight',
  lifestyle_recommendations: 'Lifestyle recommendations',
  evidence_level: 'Evidence level',
  keywords: 'Keywords',
  social_post: 'Social post',
}

/**
 * Returns the values of an analysis for its run (the record of the analysis in the project), each with its evidence (the places
 * of its quotes in the paper). Each insight is a separate value, because members compare findings one by one; any other list is
 * one value. Empty fields have no value. `of` is the short citation of the paper.
 */
export function analysisValuesOf(
  document: { id: string; text_version: number },
  of: string | null,
  { result }: Pick<Analysis, 'result'>,
  passages: readonly Passage[],
): RunValue[] {
  return ANALYSIS_NAMES.flatMap((name) => {
    const { field } = ANALYSIS_FIELDS[name]
    const value = result[name]
    const own = passages.filter((one) => one.field === field)
    const one = (text: string, from: readonly Passage[]): RunValue => ({
      key: `${document.id} ${field}`,
      label: LABELS[field],
      of,
      text,
      evidence: from.map((passage) => evidenceOf(document, passage)),
    })
    if (value === null || value.length === 0) return []
    if (typeof value === 'string') return [one(value, own)]
    if (name !== 'insights') return [one(value.join('; '), own)]
    return value.map((text, item) =>
      one(
        text,
        own.filter((passage) => passage.item === item),
      ),
    )
  })
}

const evidenceOf = (
  { id, text_version }: { id: string; text_version: number },
  { quote, statement, page, start, end, match, score }: Passage,
): RunValue['evidence'][number] => ({
  document_id: id,
  text_version,
  page,
  start,
  end,
  quote: quote ?? statement,
  match,
  score,
})
