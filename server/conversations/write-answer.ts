import {
  type AiCall,
  type AiContext,
  chooseModel,
  type DraftSentence,
  type LibraryQuestion,
  draftSentences,
  fitPassages,
  quoteLibrary,
  sumCalls,
  type Verdict,
} from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { env } from '#server/lib/env.ts'
import { publicMessage } from '#server/lib/errors.ts'
import { findStoredOutput, finishRun, type RunRequest } from '#server/runs/index.ts'
import { type AnswerPassage, findPassagesFor } from '#server/search/index.ts'
import { CHAT_FAILED } from '#shared/contract/chat.ts'
import type { ConversationEvent } from '#shared/contract/conversations.ts'
import { BUILT_IN_MODEL, modelName } from '#shared/contract/prompts.ts'
import type { AnswerState } from './answer-state.ts'
import { createSupportCheck, type Quoted } from './check-support.ts'
import { findDoubts } from './doubts.ts'
import { nearestOf } from './nearest-passages.ts'
import { type AskedQuestion, libraryQuestion, requestOf } from './plan-answer.ts'
import { INTERRUPTED, STOPPED } from './running-answers.ts'
import { planPassages } from './search-text.ts'
import { findQuotes } from './verify-draft.ts'

/**
 * The output of a run (a recorded analysis or answer): the sentences of the model with the verdicts about their quotes.
 * `passage` in a quote is the zero-based index of a passage in the input.
 */
interface StoredDrafts {
  drafts: (DraftSentence & { verdicts: (Verdict | null)[] | null })[]
  /** The number of passages that a provider's model received. Fewer than in the input if its context window is small. */
  received?: number
  /** The words of the question that caused a refusal by the built-in model. */
  refusal?: { missing: string[]; apart: string[] }
}

type Emit = (event: ConversationEvent) => void

/**
 * Answers a question: finds passages, reads the sentences of the model, verifies their quotes, and stores each sentence in
 * `state`. Records the answer as a run (a stored call of a model) of the project. `emit` sends events to the client. Throws an
 * AppError, or the reason of the signal; verified sentences stay in `state`.
 */
export async function writeAnswer(
  actor: Actor,
  asked: AskedQuestion,
  state: AnswerState,
  { emit, signal }: { emit: Emit; signal: AbortSignal },
): Promise<void> {
  const { projectId, question } = asked
  const { text, ...planned } = planPassages(question, asked.turns)
  const { passages, weights, words_only } = await findPassagesFor(actor, { ...asked, text }, { ...planned, signal })
  state.words_only = words_only
  state.passages = passages.map((passage, at) => ({
    rank: at + 1,
    document_id: passage.document_id,
    page: passage.page_number > 0 ? passage.page_number : null,
    content: passage.content,
    matched: passage.matched,
    used: false,
  }))
  const model = await chooseModel()
  state.model = modelName(model)
  const request = requestOf(asked, passages, model)
  const isBuiltIn = model === BUILT_IN_MODEL.id
  state.hasReadSides = isBuiltIn
  // Set before the first sentence, because a stopped answer also has this kind.
  if (isBuiltIn) state.kind = 'passages'
  emit({ event: 'passages', data: { passages: passages.length, kind: state.kind } })
  const isAnew = asked.withoutStored || (asked.again && !isBuiltIn)
  const stored = isAnew ? null : await findReusable(actor, request)
  const runId = await state.startRun(request, { title: question, origin: asked.origin })
  state.cached = stored !== null
  const calls: AiCall[] = []
  const ctx: AiContext = {
    userId: actor.userId,
    purpose: 'answer',
    projectId,
    signal,
    onCall: (call) => calls.push(call),
  }
  const output: StoredDrafts = { drafts: [] }
  try {
    const found = { passages, weights, signal }
    const drafts = stored
      ? readStored(stored.output, state)
      : isBuiltIn
        ? await quotesOf(await libraryQuestion(actor, asked, found), ctx, { output, state })
        : passages.length === 0
          ? inOrder<DraftSentence>([])
          : draftsOf(await libraryQuestion(actor, asked, found), model, ctx, { output, state })
    const verifier = isBuiltIn || stored || !env.AI_VERIFY ? null : model
    await verifyAll(actor, drafts, { passages, ctx, verifier, state, emit, output, signal })
    if (state.sentences === 0) await state.refuse(await nearestOf(actor, question, passages, signal))
    const values = state.values
    await finishRun(
      runId,
      stored ? { status: 'completed', stored } : { status: 'completed', output, values, ...sumCalls(calls) },
    )
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error
    const end =
      cause === STOPPED || cause === INTERRUPTED
        ? { status: 'stopped' as const }
        : { status: 'failed' as const, error: publicMessage(cause, CHAT_FAILED) }
    await finishRun(runId, { ...end, values: state.values, ...sumCalls(calls) })
    throw error
  }
}

/**
 * Returns the stored output of an earlier run with the same request, or null. An output with a quote whose support was not
 * checked, because this call failed, is not used if AI_VERIFY is on.
 */
async function findReusable(actor: Actor, request: RunRequest) {
  const stored = await findStoredOutput(actor, request)
  if (!stored) return null
  const output = stored.output as StoredDrafts
  const isUnchecked = env.AI_VERIFY && output.drafts.some(({ verdicts }) => verdicts?.includes(null))
  // The built-in model writes no sentences that could be checked.
  return isUnchecked && request.model !== BUILT_IN_MODEL.id ? null : { ...stored, output }
}

interface Verifying {
  passages: readonly AnswerPassage[]
  ctx: AiContext
  verifier: string | null
  state: AnswerState
  emit: Emit
  output: StoredDrafts
  signal: AbortSignal
}

async function verifyAll(
  actor: Actor,
  drafts: AsyncIterable<DraftSentence & { verdicts?: (Verdict | null)[] | null }>,
  { passages, ctx, verifier, state, emit, output, signal }: Verifying,
): Promise<void> {
  const places = new Map<Quoted, StoredDrafts['drafts'][number]>()
  const check = createSupportCheck(verifier, ctx, async (quoted, verdicts) => {
    places.get(quoted)!.verdicts = [...verdicts]
    await accept(quoted, verdicts)
  })
  const accept = async ({ text, group, evidence }: Quoted, verdicts: readonly (Verdict | null)[]) => {
    signal.throwIfAborted()
    const supporting = evidence.filter((_one, at) => verdicts[at] !== 'no')
    const isUnchecked = verifier !== null && verdicts.every((verdict) => verdict === null || verdict === 'no')
    if (supporting.length === 0) {
      state.unsupported.push({ text, reason: 'quote does not support it' })
      return
    }
    const isPartly = verdicts.includes('partly') && !verdicts.includes('supported')
    const marks = [
      ...findDoubts(text, supporting),
      ...(isPartly ? [{ kind: 'partly' as const, words: [] }] : []),
      ...(isUnchecked ? [{ kind: 'unchecked' as const, words: [] }] : []),
    ]
    emit({ event: 'sentence', data: await state.add({ text, group, evidence: supporting, marks }) })
  }
  let isFirst = true
  try {
    for await (const draft of drafts) {
      signal.throwIfAborted()
      const sentence = { text: draft.text, quotes: draft.quotes, group: draft.group, verdicts: draft.verdicts ?? null }
      output.drafts.push(sentence)
      if (isFirst) emit({ event: 'checking', data: {} })
      isFirst = false
      const { evidence, hasQuotes } = await findQuotes(actor, draft, passages, signal)
      if (evidence.length === 0) {
        state.unsupported.push({ text: draft.text, reason: hasQuotes ? 'quote not found' : 'no quote' })
        continue
      }
      const known = draft.verdicts?.length === evidence.length ? { verdicts: draft.verdicts } : {}
      const quoted: Quoted = { text: draft.text, group: draft.group, evidence, ...known }
      places.set(quoted, sentence)
      check.add(quoted)
    }
  } finally {
    await check.finish()
  }
}

/**
 * Returns the sentences of a provider's model. Removes the passages that do not fit into its context window from `state`, and
 * stores the number of the others in `output`.
 */
function draftsOf(
  question: LibraryQuestion,
  model: string,
  ctx: AiContext,
  { output, state }: { output: StoredDrafts; state: AnswerState },
): AsyncGenerator<DraftSentence> {
  const fitting = fitPassages(question, model)
  output.received = fitting.passages.length
  state.passages = state.passages.slice(0, output.received)
  return draftSentences(fitting, model, ctx)
}

/**
 * Returns the quotes that the built-in model selects as an answer. If it refuses, returns no quotes, and stores the words that
 * caused the refusal in `output` and `state`.
 */
async function quotesOf(
  question: LibraryQuestion,
  ctx: AiContext,
  { output, state }: { output: StoredDrafts; state: AnswerState },
): Promise<AsyncGenerator<DraftSentence>> {
  const { sentences, missing, apart } = await quoteLibrary(question, ctx)
  if (sentences.length === 0) {
    output.refusal = { missing, apart }
    Object.assign(state, output.refusal)
  }
  return inOrder(sentences)
}

function readStored(
  { drafts, refusal, received }: StoredDrafts,
  state: AnswerState,
): AsyncGenerator<StoredDrafts['drafts'][number]> {
  Object.assign(state, refusal)
  state.passages = state.passages.slice(0, received)
  return inOrder(drafts)
}

async function* inOrder<T>(drafts: readonly T[]): AsyncGenerator<T> {
  yield* drafts
}
