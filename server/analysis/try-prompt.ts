import { type AiCall, analyzeText, sumCalls } from '#server/ai/index.ts'
import { asAdmin } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import type { PromptTrial, TrialResult } from '#shared/contract/prompts.ts'
import { anchorPassages } from './anchor-passages.ts'
import { paperOf, readPaper } from './paper.ts'

/**
 * Runs an unsaved prompt on a document and returns the result and its cost. Only for admins with the right to ask about the
 * document. Stores nothing except the calls of the model, which count towards the usage like all calls. Ends when the client
 * disconnects.
 */
export async function tryPrompt(
  actor: Actor,
  { document_id, prompt, model }: PromptTrial,
  signal: AbortSignal,
): Promise<TrialResult> {
  const startedAt = performance.now()
  const { document, text } = await asAdmin(actor, (tx) => readPaper(tx, document_id, 'ask'))
  if (!hasWords(text))
    throw new AppError('refused', 'This document has no text to try the prompt on. Extract its text first.')
  const calls: AiCall[] = []
  const analysis = await analyzeText(paperOf(text!, document, { prompt, model }), {
    userId: actor.userId,
    purpose: 'trial',
    documentId: document_id,
    signal,
    onCall: (call) => calls.push(call),
  })
  const passages = await anchorPassages({ person: actor.userId, signal }, text!, analysis)
  return {
    result: analysis.result,
    model: analysis.model,
    statements: passages.length,
    found: passages.filter((one) => one.match !== 'none').length,
    ...sumCalls(calls),
    milliseconds: Math.round(performance.now() - startedAt),
  }
}
