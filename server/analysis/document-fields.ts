import { UNKNOWN_EVIDENCE_LEVEL, type Analysis } from '#shared/analysis.ts'
import type { AnalysisForDocument, StoredDocument } from '#server/documents/index.ts'
import type { Passage, PassageField } from '#shared/passages.ts'
import { modelName } from '#shared/prompts.ts'

type Before = Pick<StoredDocument, 'evidence_level' | 'keywords' | 'passages'> &
  Partial<Pick<StoredDocument, 'title' | 'doi_link' | 'publication_date' | 'journal_name' | 'metadata_checked_at'>>

/**
 * What a document holds after an analysis. Facts of the paper that the analysis could not tell (title, DOI, date,
 * journal, evidence level, keywords) stay as a person or an earlier analysis gave them, with their passages; statements
 * about it (summary, insights, recommendation, social post) are the new model's alone, even where it has none, so that
 * the model named on the page is the one that made them. What a journal or a service gave as title, DOI, date and journal
 * is surer than a reading of the first page, and stays.
 */
export function documentFields(
  before: Before,
  { result, model }: Analysis,
  passages: readonly Passage[],
): Omit<AnalysisForDocument, 'analysis_prompt' | 'analysis_prompt_version' | 'analysis_prompt_version_id'> {
  const kept = new Set<PassageField>()
  const orKept = <T>(field: PassageField, value: T | null, isTold: boolean): T | null => {
    if (!isTold) kept.add(field)
    return isTold ? value : null
  }
  const told = (value: string | null) => Boolean(value?.trim())
  const isSure = (field: 'title' | 'doi_link' | 'publication_date' | 'journal_name') =>
    Boolean(before.metadata_checked_at && before[field])
  const isLevelTold =
    told(result.level_of_evidence) && (result.level_of_evidence !== UNKNOWN_EVIDENCE_LEVEL || !before.evidence_level)
  const fields = {
    title: orKept('title', result.title, told(result.title) && !isSure('title')),
    doi_link: orKept('doi_link', result.doi, told(result.doi) && !isSure('doi_link')),
    publication_date: orKept(
      'publication_date',
      result.publication_date,
      told(result.publication_date) && !isSure('publication_date'),
    ),
    journal_name: orKept('journal_name', result.journal, told(result.journal) && !isSure('journal_name')),
    evidence_level: orKept('evidence_level', result.level_of_evidence, isLevelTold),
    keywords: orKept('keywords', result.keywords, result.keywords.length > 0) ?? before.keywords,
    summary: result.summary,
    lifestyle_recommendations: result.recommendation,
    social_post: result.social_post,
    insights: result.insights,
    analysis_model: modelName(model),
  }
  const older = before.passages.filter((one) => kept.has(one.field))
  return { ...fields, passages: [...passages.filter((one) => !kept.has(one.field)), ...older] }
}
