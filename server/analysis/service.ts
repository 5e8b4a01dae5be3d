import { asActor, type Tx } from '#server/db/client.ts'
import {
  abstractText,
  applyAnalysis,
  documentOrThrow,
  fingerprintOf,
  markProcessing,
  withoutPage,
} from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Automatic, enqueueOnce } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { getPrompt, type PromptToUse } from '#server/prompts/index.ts'
import { originOf, type RunOrigin } from '#server/runs/index.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import { type PassageField, passageField } from '#shared/contract/passages.ts'
import { anchorPassages } from './anchor-passages.ts'
import { documentFields } from './document-fields.ts'
import { readPaper } from './paper.ts'
import { missingFacts, printedFactsOf } from './printed-facts.ts'
import { runAnalysis } from './run-analysis.ts'

const NO_TEXT = 'This document has no text to analyze. Extract its text first.'
const CHANGED = 'The abstract changed while it was being analyzed.'

/** The queued input of an analysis. */
export interface QueuedAnalysis {
  prompt_id: string
  /**
   * Set if the project processes new files automatically. The job is then paused and cancelled together with the upload of its
   * document.
   */
  automatic?: Automatic
  /** The edited fields that this analysis may replace, each with a fingerprint of the value that the user agreed to replace. */
  replace_edited?: Partial<Record<PassageField, string>>
  /** Calls the model even if the output of an earlier analysis with the same input is stored. */
  again?: true
  /** The screen or the API key by which the analysis was started. */
  origin?: RunOrigin
}

interface Progress {
  assertStillRunning?: (tx: Tx) => Promise<void>
  signal?: AbortSignal
  report?: (progress: number, text?: string) => unknown
}

/**
 * Enqueues the analysis of a document and sets its status, in one transaction. Without a `promptId`, uses the default prompt of
 * the prompt library. Throws 'refused' for a document that has neither a text nor, as a paper without a PDF, an abstract.
 * Throws 'conflict' if an analysis of the document is queued or running with another input.
 */
export async function startAnalysis(
  actor: Actor,
  documentId: string,
  {
    promptId,
    automatic,
    replaceEdited = [],
    again = false,
  }: { promptId?: string | null; automatic?: true; replaceEdited?: PassageField[]; again?: boolean },
): Promise<Job> {
  const prompt = await getPrompt(actor, promptId)
  return asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId, 'edit')
    if (!document.has_text && abstractText(document) === null) throw new AppError('refused', NO_TEXT)
    const { job, isNew } = await enqueueOnce(tx, {
      kind: 'analyze',
      ownerId: actor.userId,
      documentId,
      projectId: document.project_id,
      input: {
        prompt_id: prompt.id,
        ...(automatic ? { automatic } : {}),
        ...(again ? { again } : {}),
        ...(actor.key ? { origin: originOf(actor) } : {}),
        ...(replaceEdited.length > 0
          ? { replace_edited: Object.fromEntries(replaceEdited.map((one) => [one, fingerprintOf(document[one])])) }
          : {}),
      } satisfies QueuedAnalysis,
    })
    if (isNew) await markProcessing(tx, documentId)
    return job
  })
}

/**
 * Analyzes the current text of the document, or the title and abstract of a paper without a PDF, with the words and model of
 * the prompt. Finds the passage of every statement, and stores the analysis, the passages and the run (the record of the call).
 * With `again`, calls the model even if the output for the same input is stored. Edited fields stay, except those in
 * `replace_edited`. If the document has no abstract, volume, issue or pages, stores those that are printed in its text. The
 * model is called outside any transaction; if the text changed meanwhile, nothing is stored and 'conflict' is thrown. Throws
 * 'refused' for a text without words.
 */
export async function analyzeDocument(
  actor: Actor,
  documentId: string,
  { prompt_id: promptId, replace_edited = {}, again, origin }: QueuedAnalysis,
  { signal, report, assertStillRunning }: Progress,
): Promise<{ model: string; statements: number; found: number; analyzed_at: string; cached: boolean }> {
  const { document, text, abstract } = await asActor(actor, (tx) => readPaper(tx, documentId, 'edit'))
  if (!hasWords(text)) throw new AppError('refused', NO_TEXT)
  const prompt = await getPrompt(actor, promptId)
  await report?.(5, abstract === null ? 'Analyzing the text' : 'Analyzing the abstract')
  const run = await runAnalysis(actor, document, text!, prompt, { again: again ?? false, origin, signal })
  const { analysis, cached } = run
  try {
    await report?.(80, 'Finding the passages')
    const found = await anchorPassages({ person: actor.userId, signal }, text!, analysis)
    const passages = abstract === null ? found : found.map(withoutPage)
    const printed = abstract === null ? await printedFactsOf(document, text!, actor, signal) : null
    signal?.throwIfAborted()
    const { analyzed_at } = await applyAnalysis(
      actor,
      documentId,
      (now) => {
        if (abstract !== abstractText(now)) throw new AppError('conflict', CHANGED)
        // The consent to replace does not cover edits after the request.
        const replaced = passageField.options.filter((field) => replace_edited[field] === fingerprintOf(now[field]))
        return {
          ...documentFields(now, analysis, passages, replaced),
          ...(printed ? missingFacts(now, printed) : {}),
          ...promptUsed(prompt),
          run_id: run.runId,
        }
      },
      document.text_version,
      async (tx) => {
        await assertStillRunning?.(tx)
        await run.end(tx, passages)
      },
    )
    const matched = passages.filter((one) => one.match !== 'none').length
    return { model: analysis.model, statements: passages.length, found: matched, analyzed_at, cached }
  } catch (error) {
    await run.fail(error)
    throw error
  }
}

/**
 * Returns the name and version of the prompt that are stored with an analysis, so that its words can be read after the prompt
 * has changed.
 */
const promptUsed = ({ name, version, version_id }: PromptToUse) => ({
  analysis_prompt: name,
  analysis_prompt_version: version,
  analysis_prompt_version_id: version_id,
})
