import { type AiCall, modelSettings, paperInstructions, sumCalls } from '#server/ai/index.ts'
import { hashTurns } from '#server/conversations/index.ts'
import type { Actor } from '#server/db/actor.ts'
import type { StoredDocument } from '#server/documents/index.ts'
import { findEvidence, type FoundEvidence } from '#server/evidence/index.ts'
import { publicMessage } from '#server/lib/errors.ts'
import {
  finishRun,
  hashText,
  originOf,
  placesOf,
  type RunOutcome,
  type RunRequest,
  startRun,
} from '#server/runs/index.ts'
import { type AnswerStatement, CHAT_FAILED, type ChatAnswer, type ChatSource } from '#shared/contract/chat.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import type { RunVia } from '#shared/contract/runs.ts'

/** A sentence of an answer with its quotes, as the server found them in the paper. */
interface RecordedSentence {
  text: string
  evidence: FoundEvidence[]
}

/** The input of an answer about one paper. */
interface AnswerInput {
  document: Pick<StoredDocument, 'id' | 'project_id' | 'text_version'>
  model: string
  passages: readonly ChatSource[]
  /** The whole text of the paper, if the model receives it instead of the passages. */
  fullText: string | null
  /** Words of the question that the paper does not contain. */
  missing: readonly string[]
}

/**
 * Records an answer about one paper as a run (a recorded analysis or answer) of the project of the paper. The conversation of
 * the answer is private, so the run is private too.
 */
export interface AnswerRecorder {
  /** Adds a call of a model to the costs of the run (a recorded analysis or answer). */
  onCall: (call: AiCall) => void
  /**
   * Stores the start of the run (a recorded analysis or answer). Does nothing for a paper without a project. Throws 'not_found'
   * or 'role'.
   */
  start: (input: AnswerInput) => Promise<void>
  /**
   * Finds the quotes of an answer in the paper. Returns the run (a recorded analysis or answer) with the outcome to store in
   * the transaction that stores the answer; undefined for a paper without a project.
   */
  end: (
    answer: Pick<ChatAnswer, 'answer' | 'statements'>,
    signal: AbortSignal,
  ) => Promise<{ id: string; outcome: RunOutcome } | undefined>
  /**
   * Stores that the answer has failed with an error, or that the caller stopped it. Does nothing if the run (a recorded
   * analysis or answer) has not started or has ended.
   */
  fail: (error: unknown, isStopped: boolean) => Promise<void>
  /** The recorded answer: the id of its run and, after `end`, its sentences. */
  readonly recorded: { runId: string | null; sentences: readonly RecordedSentence[] }
}

/** Returns the recorder of an answer to a question about one paper. It stores nothing before `start`. */
export function createRecorder(
  actor: Actor,
  { documentId, question, via }: { documentId: string; question: string; via: RunVia },
): AnswerRecorder {
  const calls: AiCall[] = []
  const recorded: { runId: string | null; sentences: RecordedSentence[] } = { runId: null, sentences: [] }
  return {
    recorded,
    onCall: (call) => calls.push(call),
    start: async (input) => {
      const { project_id: projectId } = input.document
      if (projectId === null) return
      const run = await startRun(actor, requestOf(question, projectId, input), {
        title: question,
        origin: originOf(actor, via),
        within: { isHidden: async () => true },
      })
      recorded.runId = run.id
    },
    end: async ({ answer, statements }, signal) => {
      recorded.sentences = await findSentences(actor, documentId, statements, signal)
      if (recorded.runId === null) return undefined
      const values = recorded.sentences.map(({ text, evidence }, at) => ({
        key: 'sentence',
        label: `Sentence ${at + 1}`,
        of: null,
        text,
        evidence: evidence.filter(({ match }) => match !== 'none'),
      }))
      return {
        id: recorded.runId,
        outcome: { status: 'completed', output: { answer }, values, ...sumCalls(calls) },
      }
    },
    fail: async (error, isStopped) => {
      if (recorded.runId === null) return
      const costs = sumCalls(calls)
      const outcome: RunOutcome = isStopped
        ? { status: 'stopped', ...costs }
        : { status: 'failed', error: publicMessage(error, CHAT_FAILED), ...costs }
      await finishRun(recorded.runId, outcome)
    },
  }
}

/**
 * Returns the input of the run of an answer about one paper. The option `text` distinguishes it from the input of an answer
 * over a project, so their hashes differ and neither uses the stored output of the other.
 */
function requestOf(
  question: string,
  projectId: string,
  { document, model, passages, fullText, missing }: AnswerInput,
): RunRequest {
  const placed = passages.map((passage) => ({ ...passage, document_id: document.id }))
  const read = passages.map(({ page_number, page_offset, content }) => [page_number, page_offset, content])
  return {
    projectId,
    kind: 'library_answer',
    model,
    model_settings: modelSettings(model),
    // The instructions of the first request. If the provider refuses the whole text as too long, a second request has passages.
    prompt_text: model === BUILT_IN_MODEL.id ? '' : paperInstructions({ isWhole: Boolean(fullText), missing }),
    input: {
      documents: [{ id: document.id, text_version: document.text_version }],
      question,
      options: {
        scope: { kind: 'papers', document_ids: [document.id] },
        leave_out_retracted: false,
        turns: hashTurns([]),
        earlier_questions: 0,
        ...(fullText === null ? { places: placesOf(placed) } : {}),
        passages: hashText(JSON.stringify(read)),
        text: fullText === null ? null : hashText(fullText),
      },
    },
  }
}

async function findSentences(
  actor: Actor,
  documentId: string,
  statements: readonly AnswerStatement[],
  signal: AbortSignal,
): Promise<RecordedSentence[]> {
  const quotes = statements.flatMap(({ passages }) => passages)
  const wanted = quotes.map(({ quote, page }) => ({ quote: quote ?? '', nearPage: page ?? undefined }))
  const found = (await findEvidence(actor, documentId, wanted, signal)).values()
  return statements.map(({ text, passages }) => ({ text, evidence: passages.map(() => found.next().value!) }))
}
