import { asActor } from '#server/db/client.ts'
import type { AnalyzedColumns, StoredAnalysisUndo } from '#server/db/stored-documents.ts'
import { findJournal } from '#server/journals/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { isSameValue } from '#server/lib/stale-change.ts'
import type { Actor } from '#server/db/actor.ts'
import { findPromptVersion } from '#server/prompts/index.ts'
import { type DocumentDetail, type EditedField, editedField } from '#shared/contract/documents.ts'
import { type PassageField, passageField } from '#shared/contract/passages.ts'
import { inFieldOrder } from './edited-fields.ts'
import { presentDocument } from './present.ts'
import { findDocumentText, type StoredDocument } from './queries.ts'
import { lockedOrThrow, publishChange, linkKeywords } from './rows.ts'
import { type ReferenceChange, updateDocumentRow } from './write-queries.ts'

/** Returns the data to store for the undo of a repeated analysis: the analyzed columns before and after it. */
export const analysisUndo = (before: StoredDocument, after: StoredDocument): StoredAnalysisUndo => ({
  before: analysedColumns(before),
  after: analysedColumns(after),
})

const analysedColumns = (row: StoredDocument): AnalyzedColumns => ({
  title: row.title,
  authors: row.authors,
  doi_link: row.doi_link,
  publication_date: row.publication_date,
  journal_name: row.journal_name,
  journal_id: row.journal_id,
  summary: row.summary,
  lifestyle_recommendations: row.lifestyle_recommendations,
  evidence_level: row.evidence_level,
  keywords: row.keywords,
  social_post: row.social_post,
  insights: row.insights,
  passages: row.passages,
  reference: { author: row.reference.author, issued: row.reference.issued },
  edited_fields: row.edited_fields,
  analyzed_at: row.analyzed_at,
  analysis_model: row.analysis_model,
  analysis_prompt: row.analysis_prompt,
  analysis_prompt_version: row.analysis_prompt_version,
  analysis_prompt_version_id: row.analysis_prompt_version_id,
  run_id: row.run_id ?? null,
})

/**
 * Returns the fields that changed since the analysis. A field also counts as changed if a user edited it without changing its
 * value.
 */
export function changedSince({ after }: StoredAnalysisUndo, now: AnalyzedColumns): PassageField[] {
  const isEdited = (row: AnalyzedColumns, field: EditedField) => row.edited_fields.includes(field)
  // The parts of the names and of the date, which the columns do not contain.
  const isOtherPart = (field: PassageField) =>
    after.reference !== undefined &&
    ((field === 'authors' && !isSameValue(now.reference?.author, after.reference.author)) ||
      (field === 'publication_date' && !isSameValue(now.reference?.issued, after.reference.issued)))
  return passageField.options.filter(
    (field) =>
      field in after &&
      (!isSameValue(now[field], after[field]) || isEdited(now, field) !== isEdited(after, field) || isOtherPart(field)),
  )
}

/**
 * Returns the columns to store when an analysis is undone: the values before the analysis. The fields in `kept` have the values
 * and passages of `now`, the current columns.
 */
export function undone(
  { before }: StoredAnalysisUndo,
  now: AnalyzedColumns,
  kept: readonly PassageField[],
): Omit<AnalyzedColumns, 'reference'> & { reference: ReferenceChange } {
  // The undo data of earlier versions has no authors: their analyses did not change them.
  const unknown = passageField.options.filter((field) => !(field in before))
  const analyzed = new Set<EditedField>(passageField.options)
  const stays = new Set<EditedField>([
    ...kept,
    ...unknown,
    ...editedField.options.filter((field) => !analyzed.has(field)),
  ])
  const values = Object.fromEntries(kept.map((field) => [field, now[field]]))
  // The parts of the names and of the date, which the columns do not contain.
  const author = before.reference && !stays.has('authors') ? { author: before.reference.author ?? null } : {}
  const issued = before.reference && !stays.has('publication_date') ? { issued: before.reference.issued ?? null } : {}
  return {
    ...before,
    ...values,
    reference: { ...author, ...issued },
    journal_id: (stays.has('journal_name') ? now : before).journal_id,
    run_id: before.run_id ?? null,
    passages: [
      ...before.passages.filter(({ field }) => !stays.has(field)),
      ...now.passages.filter(({ field }) => stays.has(field)),
    ],
    edited_fields: inFieldOrder([
      ...before.edited_fields.filter((field) => !stays.has(field)),
      ...now.edited_fields.filter((field) => stays.has(field)),
    ]),
  }
}

/**
 * Undoes the latest repeated analysis of a document: restores values, passages, edited fields, model and prompt. Fields that
 * changed since the analysis stay unchanged and are returned as `kept`. Throws 'conflict' if the analysis of the time
 * `analyzedAt` is not the latest, or if the text has changed since.
 */
export function undoAnalysis(
  actor: Actor,
  id: string,
  analyzedAt: string,
): Promise<{ document: DocumentDetail; kept: PassageField[] }> {
  return asActor(actor, async (tx) => {
    const now = await lockedOrThrow(tx, id)
    const undo = now.analysis_undo
    if (!undo || !now.analyzed_at || Date.parse(now.analyzed_at) !== Date.parse(analyzedAt))
      throw new AppError('conflict', 'This analysis can no longer be undone.')
    const kept = changedSince(undo, now)
    const former = undone(undo, now, kept)
    const journal = former.journal_id ? await findJournal(tx, former.journal_id) : undefined
    const version = former.analysis_prompt_version_id
    const row = await updateDocumentRow(tx, now, {
      ...former,
      // Both can have been deleted since.
      journal_id: journal?.id ?? null,
      analysis_prompt_version_id: version && (await findPromptVersion(tx, version)) ? version : null,
      analysis_undo: null,
    })
    await linkKeywords(tx, actor, row, former.keywords)
    await publishChange(tx, row, 'updated')
    return { document: presentDocument(row, await findDocumentText(tx, id)), kept }
  })
}
