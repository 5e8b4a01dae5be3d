import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { addMissingJournal } from '#server/journals/index.ts'
import { authorize } from '#server/members/index.ts'
import { inspectText, refuseTooLarge } from '#server/texts/index.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { PassageField } from '#shared/contract/passages.ts'
import { storable, storableText } from '#shared/text/storable-text.ts'
import { analysisUndo } from './analysis-undo.ts'
import { presentDocument } from './present.ts'
import { hasDocumentText, hasOtherStep, lockDocumentRow, settledStatus, type StoredDocument } from './queries.ts'
import { type ReferenceChange, updateDocumentRow } from './write-queries.ts'
import {
  documentOrThrow,
  editDocument,
  linkKeywords,
  lockedOrThrow,
  namedJournal,
  publishChange,
  type StillRunning,
} from './rows.ts'

const NO_TEXT_LAYER = 'Failed to extract text: the pages of this PDF are images. Use OCR for it.'

/** The result of a text extraction. The text contains a marker `[Page N]` before each page. */
export interface ExtractedForDocument {
  text: string
  method: 'text' | 'ocr'
  /** The numbers (from 1) of the pages whose text OCR has recognized. */
  ocrPages: number[]
  warning: StoredDocument['text_warning']
  pageCount: number | null
  facts: StoredDocument['pdf_facts']
}

/**
 * Stores an extracted text and sets the status 'completed'. If the text differs from the stored text, the vectors become
 * outdated and the quotes of passages are searched in the new text. Throws 'too_large' for a text beyond the limits of the API.
 * For a text without words, throws 'no_text_layer' and sets the status 'error' and the warning 'scan', so that the document's
 * page recommends OCR.
 */
export async function saveExtractedText(
  actor: Actor,
  id: string,
  extracted: ExtractedForDocument,
  assertStillRunning?: StillRunning,
): Promise<DocumentDetail> {
  const text = storableText(extracted.text)
  refuseTooLarge({ characters: text.length })
  const { pages, hasWords } = await inspectText({ person: actor.userId }, text)
  refuseTooLarge({ characters: text.length, pages })
  if (!hasWords) {
    await rememberScan(actor, id, extracted)
    await failDocument(id, NO_TEXT_LAYER)
    throw new AppError('no_text_layer', NO_TEXT_LAYER)
  }
  const row = await editDocument(
    actor,
    id,
    async (tx) => ((await hasDocumentText(tx, id, text)) ? {} : { extracted_text: text }),
    async (tx, before, change: { extracted_text?: string }, passages) => {
      return updateDocumentRow(tx, before, {
        ...change,
        extraction_method: extracted.method,
        ocr_pages: extracted.ocrPages,
        text_warning: extracted.warning,
        page_count: extracted.pageCount ?? before.page_count,
        pdf_facts: storable(extracted.facts) ?? before.pdf_facts,
        status: 'completed',
        status_message: null,
        offered_text: null,
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
    },
    assertStillRunning,
  )
  return presentDocument(row, text)
}

/**
 * Records that the pages of a file are images, so that OCR is recommended. Does nothing if the document has a text or if
 * `method` is 'ocr'.
 */
export function rememberScan(
  actor: Actor,
  id: string,
  { method, pageCount, facts }: Omit<ExtractedForDocument, 'text' | 'warning' | 'ocrPages'>,
): Promise<void> {
  return asActor(actor, async (tx) => {
    const before = await lockedOrThrow(tx, id)
    if (before.has_text || method === 'ocr') return
    const row = await updateDocumentRow(tx, before, {
      text_warning: 'scan',
      page_count: pageCount ?? before.page_count,
      pdf_facts: facts ?? before.pdf_facts,
    })
    await publishChange(tx, row, 'updated')
  })
}

/** The result of an analysis to store: the changed fields, all passages, and the fields that count as edited by users. */
export type AnalysisForDocument = Partial<Pick<StoredDocument, PassageField | 'abstract'>> &
  Pick<
    StoredDocument,
    | 'passages'
    | 'edited_fields'
    | 'analysis_model'
    | 'analysis_prompt'
    | 'analysis_prompt_version'
    | 'analysis_prompt_version_id'
    | 'run_id'
  > & { reference?: ReferenceChange }

/**
 * Stores an analysis with its tags in one transaction, after its journal exists. `plan` gets the document, which includes
 * edits that were made during the analysis, and returns the changes. It is called twice: for the name of the journal, and with
 * the locked document. A field that the result of `plan` omits stays unchanged. A repeated analysis can be undone. Throws
 * 'conflict' if `textVersion` is no longer the version of the text.
 */
export async function applyAnalysis(
  actor: Actor,
  id: string,
  plan: (before: StoredDocument) => AnalysisForDocument,
  textVersion: number,
  assertStillRunning?: StillRunning,
): Promise<{ analyzed_at: string }> {
  const planFor = (before: StoredDocument) => {
    if (before.text_version !== textVersion)
      throw new AppError('conflict', 'The text changed while it was being analyzed.')
    return storable(plan(before))
  }
  await asActor(actor, async (tx) => {
    const { journal_name } = planFor(await documentOrThrow(tx, id, 'edit'))
    await namedJournal(tx, actor, journal_name, addMissingJournal)
  })
  return asActor(actor, async (tx) => {
    await assertStillRunning?.(tx)
    const before = await lockedOrThrow(tx, id)
    const analysis = planFor(before)
    const { journal_name, keywords } = analysis
    const analyzed_at = new Date().toISOString()
    const analyzed = await updateDocumentRow(tx, before, {
      ...analysis,
      ...(journal_name ? await namedJournal(tx, actor, journal_name) : {}),
      status: 'completed',
      status_message: null,
      analyzed_at,
    })
    const undo = before.analyzed_at ? analysisUndo(before, analyzed) : null
    const row = await updateDocumentRow(tx, before, { analysis_undo: undo })
    if (keywords) await linkKeywords(tx, actor, row, keywords)
    await publishChange(tx, row, 'updated')
    return { analyzed_at }
  })
}

/**
 * Records that the document has been vectorized with `model`. Call it in the transaction that stores the chunks. Throws
 * 'conflict' if `textVersion` is no longer the version of the text.
 */
export async function markVectorized(tx: Tx, id: string, model: string, textVersion: number): Promise<void> {
  const before = await lockedOrThrow(tx, id)
  if (before.text_version !== textVersion)
    throw new AppError('conflict', 'The text changed while it was being vectorized.')
  const row = await updateDocumentRow(tx, before, { vectorized_at: new Date().toISOString(), embedding_model: model })
  await publishChange(tx, row, 'updated')
}

/**
 * Sets the status of a document to 'processing'. Call it in the transaction that queues a job for the document. Throws
 * 'not_found' for a document in the trash, which a transaction without row-level security also finds, and 'role' if the caller
 * may not edit the document.
 */
export async function markProcessing(tx: Tx, id: string): Promise<StoredDocument> {
  const before = await lockedOrThrow(tx, id)
  if (before.deleted_at !== null) throw notFound('Document')
  const row = await updateDocumentRow(tx, before, { status: 'processing', status_message: null })
  await publishChange(tx, row, 'updated')
  return row
}

/** Sets the status of a document to 'error', with the reason `message`. Does nothing if the document has been deleted. */
export const failDocument = (id: string, message: string): Promise<void> =>
  settle(id, async () => ({ status: 'error', status_message: storableText(message) }))

/**
 * Resets the status of a document after the job `jobId` was cancelled. Does nothing while another job works on the document,
 * because the end of that job sets the status.
 */
export const settleDocument = (id: string, jobId: string): Promise<void> =>
  settle(id, async (tx) =>
    (await hasOtherStep(tx, id, jobId)) ? null : { status: settledStatus, status_message: null },
  )

/**
 * Changes the status of a document with the rights of the system, because the user of a job can have lost the right to change
 * the document. Changes nothing if `plan` returns null.
 */
function settle(id: string, plan: (tx: Tx) => Promise<Parameters<typeof updateDocumentRow>[2] | null>): Promise<void> {
  return asSystem(async (tx) => {
    const row = await lockDocumentRow(tx, id)
    if (!row || row.deleted_at !== null) return
    const document = authorize(row, 'edit', 'Document')
    const change = await plan(tx)
    if (change) await publishChange(tx, await updateDocumentRow(tx, document, change), 'updated')
  })
}
