import { analysisValues, UNKNOWN_EVIDENCE_LEVEL, type Analysis } from '#shared/contract/analysis.ts'
import type { AnalysisForDocument, StoredDocument } from '#server/documents/index.ts'
import { TAGS_MAX } from '#shared/contract/document-edits.ts'
import { CHECKED_FIELDS } from '#shared/contract/documents.ts'
import { type Passage, type PassageField, passageField } from '#shared/contract/passages.ts'
import { modelName } from '#shared/contract/prompts.ts'

type Before = Pick<StoredDocument, 'evidence_level' | 'passages' | 'edited_fields'> &
  Partial<Pick<StoredDocument, CheckedField | 'metadata_checked_at' | 'keywords' | 'analyzed_at' | 'reference'>>
type CheckedField = (typeof CHECKED_FIELDS)[number]

/**
 * Returns the fields of a document that an analysis changes, and all passages. Fields that a user edited stay, except those in
 * `replaced`. Facts about the paper (title, authors, DOI, date, journal, evidence level, keywords) stay if the analysis found
 * none. Title, authors, DOI, date and journal also stay if they come from an import or a metadata service, which is more
 * reliable than the first page. Statements about the paper (summary, insights, recommendation, social post) are always
 * replaced, even by an empty value, because the page shows one model for all of them. Keywords of an earlier analysis are
 * replaced. Keywords of an import, of Zotero or of a merged duplicate stay, and the keywords of the analysis are added to them,
 * up to TAGS_MAX.
 */
export function documentFields(
  before: Before,
  { result, model }: Analysis,
  passages: readonly Passage[],
  replaced: readonly PassageField[],
): Omit<AnalysisForDocument, 'analysis_prompt' | 'analysis_prompt_version' | 'analysis_prompt_version_id' | 'run_id'> {
  const values = analysisValues(result)
  // Only an analysis stores passages of keywords. Earlier versions of Lectern also stored them for a new text.
  const isOfAnalysis = (word: string) =>
    before.analyzed_at !== null && before.passages.some((one) => one.field === 'keywords' && one.statement === word)
  const given = replaced.includes('keywords') ? [] : (before.keywords ?? []).filter((word) => !isOfAnalysis(word))
  const known = new Set(given.map((word) => word.toLowerCase()))
  const added = values.keywords.filter((word) => !known.has(word.toLowerCase()))
  const keywords = [...given, ...added].slice(0, Math.max(TAGS_MAX, given.length))
  const found = { ...values, keywords }
  const placed = passages.flatMap((passage) => {
    if (passage.field !== 'keywords') return [passage]
    const item = keywords.indexOf(passage.statement, given.length)
    return item < 0 ? [] : [{ ...passage, item }]
  })
  const isMissing = (fact: string | string[] | null) => (Array.isArray(fact) ? fact.length === 0 : !fact?.trim())
  const hasValue = (field: CheckedField) =>
    !isMissing(before[field] ?? null) || (field === 'publication_date' && before.reference?.issued !== undefined)
  const isFromService = (field: CheckedField) => Boolean(before.metadata_checked_at && hasValue(field))
  const stays = (field: PassageField): boolean => {
    if (before.edited_fields.includes(field) && !replaced.includes(field)) return true
    if (field === 'keywords') return values.keywords.length === 0
    if (field === 'evidence_level')
      return (
        isMissing(found.evidence_level) ||
        (found.evidence_level === UNKNOWN_EVIDENCE_LEVEL && Boolean(before.evidence_level))
      )
    const fact = CHECKED_FIELDS.find((one) => one === field)
    return fact !== undefined && (isMissing(found[fact]) || (isFromService(fact) && !replaced.includes(fact)))
  }
  const kept = new Set<string>(passageField.options.filter(stays))
  return {
    ...Object.fromEntries(Object.entries(found).filter(([field]) => !kept.has(field))),
    analysis_model: modelName(model),
    passages: [
      ...placed.filter(({ field }) => !kept.has(field)),
      ...before.passages.filter(({ field }) => kept.has(field)),
    ],
    edited_fields: before.edited_fields.filter((field) => kept.has(field) || !(field in found)),
  }
}
