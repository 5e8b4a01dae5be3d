import { analyzeText } from '#server/ai/index.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import {
  applyAnalysis,
  documentOrThrow,
  findDocumentText,
  fingerprintOf,
  markProcessing,
} from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { enqueue } from '#server/lib/jobs.ts'
import type { Actor } from '#server/lib/session.ts'
import { getPrompt, type PromptToUse } from '#server/prompts/index.ts'
import type { Job } from '#shared/jobs.ts'
import { hasWords } from '#shared/page-text.ts'
import { type PassageField, passageField } from '#shared/passages.ts'
import { anchorPassages } from './anchor-passages.ts'
import { documentFields } from './document-fields.ts'
import { paperOf } from './paper.ts'

const NO_TEXT = 'This document has no text to analyze. Extract its text first.'

/** What the queue stores of an analysis. */
export interface QueuedAnalysis {
  prompt_id: string
  /** The vectors are to follow by themselves. */
  automatic?: true
  /** Fields that a person edited and that this analysis may replace, each with the fingerprint of the value to replace. */
  replace_edited?: Partial<Record<PassageField, string>>
}

interface Progress {
  guard?: (tx: Tx) => Promise<void>
  signal?: AbortSignal
  report?: (progress: number, text?: string) => unknown
}

/**
 * Puts the analysis of a document into the queue: status and job change in one transaction. Without a prompt the
 * library's default one is used. Refuses a document without words, and one that is being analyzed already (conflict).
 */
export async function startAnalysis(
  actor: Actor,
  documentId: string,
  {
    promptId,
    automatic,
    replaceEdited = [],
  }: { promptId?: string | null; automatic?: true; replaceEdited?: PassageField[] },
): Promise<Job> {
  const prompt = await getPrompt(actor, promptId)
  return asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId)
    if (!document.has_text) throw new AppError('refused', NO_TEXT)
    const job = await enqueue(tx, {
      kind: 'analyze',
      ownerId: actor.userId,
      documentId,
      projectId: document.project_id,
      input: {
        prompt_id: prompt.id,
        ...(automatic ? { automatic } : {}),
        ...(replaceEdited.length > 0
          ? { replace_edited: Object.fromEntries(replaceEdited.map((one) => [one, fingerprintOf(document[one])])) }
          : {}),
      } satisfies QueuedAnalysis,
    })
    await markProcessing(tx, documentId)
    return job
  })
}

/**
 * Analyses the document's text as it is now with the prompt's words and model, finds the passage of every statement,
 * and stores both. Fields that a person edited stay, except those in `replace_edited`. The model is asked outside any
 * transaction; nothing is stored when the text changed meanwhile.
 */
export async function analyzeDocument(
  actor: Actor,
  documentId: string,
  { prompt_id: promptId, replace_edited = {} }: QueuedAnalysis,
  { signal, report, guard }: Progress,
): Promise<{ model: string; statements: number; found: number; analyzed_at: string }> {
  const { document, text } = await asActor(actor, async (tx) => ({
    document: await documentOrThrow(tx, documentId),
    text: await findDocumentText(tx, documentId),
  }))
  if (!hasWords(text)) throw new AppError('refused', NO_TEXT)
  const prompt = await getPrompt(actor, promptId)
  await report?.(5, 'Analyzing the text')
  const analysis = await analyzeText(paperOf(text!, document, prompt), {
    userId: actor.userId,
    purpose: 'analysis',
    documentId,
    signal,
  })
  await report?.(80, 'Finding the passages')
  const passages = await anchorPassages({ person: actor.userId, signal }, text!, analysis)
  signal?.throwIfAborted()
  const { analyzed_at } = await applyAnalysis(
    actor,
    documentId,
    (now) => {
      // An edit made since the analysis was asked for was not meant by the choice to replace.
      const replaced = passageField.options.filter((field) => replace_edited[field] === fingerprintOf(now[field]))
      return { ...documentFields(now, analysis, passages, replaced), ...promptUsed(prompt) }
    },
    document.text_version,
    guard,
  )
  const found = passages.filter((one) => one.match !== 'none').length
  return { model: analysis.model, statements: passages.length, found, analyzed_at }
}

/** Which words an analysis was made with: they can be read long after the prompt has changed. */
const promptUsed = ({ name, version, version_id }: PromptToUse) => ({
  analysis_prompt: name,
  analysis_prompt_version: version,
  analysis_prompt_version_id: version_id,
})
