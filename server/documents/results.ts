import { asActor, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/lib/session.ts'
import { tagIdsOf } from '#server/projects/index.ts'
import { inspectText, refuseTooLarge } from '#server/texts/index.ts'
import type { DocumentDetail } from '#shared/documents.ts'
import type { PassageField } from '#shared/passages.ts'
import { storable, storableText } from '#shared/storable-text.ts'
import { analysisUndo } from './analysis-undo.ts'
import { presentDocument } from './present.ts'
import {
  hasDocumentText,
  lockDocumentRow,
  replaceDocumentTags,
  updateDocumentRow,
  type StoredDocument,
} from './queries.ts'
import { editDocument, journalOf, lockedOrThrow, publishChange, type Guard } from './rows.ts'

const NO_TEXT_LAYER = 'Failed to extract text: the pages of this PDF are pictures. Use OCR for it.'

/** What a text extraction hands over; texts carry `[Page N]` markers. */
export interface ExtractedForDocument {
  text: string
  method: 'text' | 'ocr'
  warning: StoredDocument['text_warning']
  pageCount: number | null
  facts: StoredDocument['pdf_facts']
}

/**
 * Stores an extracted text: status completed. What was made from an older text (vectors, passages) is marked as such.
 * Refuses a text beyond the limits of the contract ('too_large').
 * A text without words is refused ('refused'): the document gets the status error, with the reason, and the warning
 * 'scan', so that OCR is recommended. The text may come from a job or from the browser: the result is the same.
 */
export async function saveExtractedText(
  actor: Actor,
  id: string,
  extracted: ExtractedForDocument,
  guard?: Guard,
): Promise<DocumentDetail> {
  const text = storableText(extracted.text)
  refuseTooLarge({ characters: text.length })
  const { pages, hasWords } = await inspectText({ person: actor.userId }, text)
  refuseTooLarge({ characters: text.length, pages })
  if (!hasWords) {
    await rememberScan(actor, id, extracted)
    await failDocument(actor, id, NO_TEXT_LAYER)
    throw new AppError('refused', NO_TEXT_LAYER)
  }
  const row = await editDocument(
    actor,
    id,
    async (tx) => ((await hasDocumentText(tx, id, text)) ? {} : { extracted_text: text }),
    async (tx, before, change: { extracted_text?: string }, passages) => {
      const row = await updateDocumentRow(tx, id, {
        ...change,
        extraction_method: extracted.method,
        text_warning: extracted.warning,
        page_count: extracted.pageCount ?? before.page_count,
        pdf_facts: storable(extracted.facts) ?? before.pdf_facts,
        status: 'completed',
        status_message: null,
        ...(change.extracted_text === undefined
          ? {}
          : {
              text_version: before.text_version + 1,
              vectorized_at: null,
              embedding_model: null,
              passages,
              analysis_undo: null,
            }),
      })
      return row!
    },
    guard,
  )
  return presentDocument(row, text)
}

/** Remembers that a file's pages are pictures, so that OCR is recommended; a text that the document has is left alone. */
export function rememberScan(
  actor: Actor,
  id: string,
  { method, pageCount, facts }: Omit<ExtractedForDocument, 'text' | 'warning'>,
): Promise<void> {
  return asActor(actor, async (tx) => {
    const before = await lockedOrThrow(tx, id)
    if (before.has_text || method === 'ocr') return
    const row = await updateDocumentRow(tx, id, {
      text_warning: 'scan',
      page_count: pageCount ?? before.page_count,
      pdf_facts: facts ?? before.pdf_facts,
    })
    await publishChange(tx, row!, 'updated')
  })
}

/** What an analysis hands over: the fields that it changes, all passages, and the fields that stay edited. */
export type AnalysisForDocument = Partial<Pick<StoredDocument, PassageField>> &
  Pick<
    StoredDocument,
    | 'passages'
    | 'edited_fields'
    | 'analysis_model'
    | 'analysis_prompt'
    | 'analysis_prompt_version'
    | 'analysis_prompt_version_id'
  >

/**
 * Stores an analysis in one transaction with its journal and tags: status completed, analysed now. `plan` gets the locked
 * row, so that an edit made while the model worked is seen. A field that the plan leaves out keeps its value. A repeated
 * analysis can be undone.
 */
export async function applyAnalysis(
  actor: Actor,
  id: string,
  plan: (before: StoredDocument) => AnalysisForDocument,
  textVersion: number,
  guard?: Guard,
): Promise<{ analyzed_at: string }> {
  return asActor(actor, async (tx) => {
    await guard?.(tx)
    const before = await lockedOrThrow(tx, id)
    if (before.text_version !== textVersion)
      throw new AppError('conflict', 'The text changed while it was analysed. Please analyse it again.')
    const analysis = storable(plan(before))
    const { journal_name, keywords } = analysis
    const analyzed_at = new Date().toISOString()
    const analyzed = await updateDocumentRow(tx, id, {
      ...analysis,
      ...(journal_name ? await journalOf(tx, actor, { journal_name }) : {}),
      status: 'completed',
      status_message: null,
      analyzed_at,
    })
    const undo = before.analyzed_at ? analysisUndo(before, analyzed!) : null
    const row = await updateDocumentRow(tx, id, { analysis_undo: undo })
    if (keywords) await replaceDocumentTags(tx, id, await tagIdsOf(tx, actor.userId, keywords))
    await publishChange(tx, row!, 'updated')
    return { analyzed_at }
  })
}

/** Marks the document as vectorised with `model`, in the transaction that stores its chunks; refuses when the text changed meanwhile. */
export async function markVectorized(tx: Tx, id: string, model: string, textVersion: number): Promise<void> {
  const before = await lockedOrThrow(tx, id)
  if (before.text_version !== textVersion)
    throw new AppError('conflict', 'The text changed while it was vectorised. Please vectorise it again.')
  const row = await updateDocumentRow(tx, id, { vectorized_at: new Date().toISOString(), embedding_model: model })
  await publishChange(tx, row!, 'updated')
}

/** Marks the document as being worked on, in the transaction that enqueues the work. */
export async function markProcessing(tx: Tx, id: string): Promise<StoredDocument> {
  await lockedOrThrow(tx, id)
  const row = await updateDocumentRow(tx, id, { status: 'processing', status_message: null })
  await publishChange(tx, row!, 'updated')
  return row!
}

/** Ends work that failed: status error, with the reason. A document that is gone needs nothing. */
export const failDocument = (actor: Actor, id: string, message: string): Promise<void> =>
  settle(actor, id, () => ({ status: 'error', status_message: storableText(message) }))

/** Ends work that was cancelled: completed if there is a text, else pending, as if it had not begun. */
export const settleDocument = (actor: Actor, id: string): Promise<void> =>
  settle(actor, id, (row) => ({ status: row.has_text ? 'completed' : 'pending', status_message: null }))

function settle(
  actor: Actor,
  id: string,
  change: (row: StoredDocument) => { status: string; status_message: string | null },
): Promise<void> {
  return asActor(actor, async (tx) => {
    const row = await lockDocumentRow(tx, id)
    if (!row) return
    await publishChange(tx, (await updateDocumentRow(tx, id, change(row)))!, 'updated')
  })
}
