import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { Actor } from '#server/db/actor.ts'
import { asActor, asSystem, brokenConstraint } from '#server/db/client.ts'
import { watchAccess } from '#server/events/watch-access.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { originOf } from '#server/runs/index.ts'
import { measureScope, type ScopeSize } from '#server/search/index.ts'
import { CHAT_FAILED } from '#shared/contract/chat.ts'
import {
  allRetracted,
  ANSWER_INTERRUPTED,
  type AnswerScope,
  answerTooSlow,
  type ConversationMessage,
  type LibraryQuestionInput,
  NO_PAPER_IN_SCOPE,
  NO_TEXT_IN_SCOPE,
  NOTHING_TO_ANSWER_FROM,
  STILL_ANSWERING,
  titleOf,
} from '#shared/contract/conversations.ts'
import type { RunVia } from '#shared/contract/runs.ts'
import { nameConversation, ONE_ANSWER, updateAnswer } from './answer-queries.ts'
import { AnswerState } from './answer-state.ts'
import type { AskedQuestion } from './plan-answer.ts'
import { presentMessages } from './present.ts'
import { publishChange } from './publish-change.ts'
import { findMessage, insertMessage, type StoredMessage } from './queries.ts'
import { readRepeatedTurns, readTurns } from './read-turns.ts'
import { INTERRUPTED, type RunningAnswer, startAnswer, STOPPED } from './running-answers.ts'
import { ownConversation, refuseFull } from './service.ts'
import { writeAnswer } from './write-answer.ts'

/** Limits the number of answers that this process writes at the same time. At most MOST_WAITING further answers wait. */
const inTurn = pLimit(2 * availableParallelism())
const MOST_WAITING = 20
/**
 * Number of waiting answers. The queue of `inTurn` cannot be used, because it also counts answers that were stopped while they
 * waited.
 */
let waiting = 0

/**
 * Starts the answer to a question over the papers of a project. The answer continues if its client disconnects. Throws
 * 'not_found', 'role', 'refused' (for a conversation about one paper, for a full conversation, or if no paper in the scope has
 * a text), 'conflict' while another answer of the caller is being written, and 'too_many' if too many questions of all users
 * are waiting.
 */
export async function askProject(
  actor: Actor,
  conversationId: string,
  input: LibraryQuestionInput,
  via: RunVia = 'api',
): Promise<RunningAnswer> {
  const { question, scope, leave_out_retracted: leaveOutRetracted, again, without_stored: withoutStored } = input
  const conversation = await asActor(actor, (tx) => ownConversation(tx, actor, conversationId))
  const { project_id: projectId, document_id } = conversation
  if (document_id !== null || projectId === null)
    throw new AppError('refused', 'This conversation is about one paper. Continue it in the chat of the paper.')
  refuseFull(conversation)
  const of = { projectId, scope, leaveOutRetracted }
  const size = await measureScope(actor, of)
  if (!size.hasText) throw new AppError('refused', reasonWithoutText(scope, size))
  if (waiting >= MOST_WAITING)
    throw new AppError('too_many', 'Many questions are being answered. Please try again in a minute.', {
      retryAfter: 60,
    })
  const { messageId, turns } = await storeQuestion(actor, { conversationId, projectId, leaveOutRetracted }, input)
  const asked: AskedQuestion = { ...of, question, again, withoutStored, size, turns, origin: originOf(actor, via) }
  return startAnswer(messageId, (answer) => run(actor, conversationId, asked, answer))
}

/** Returns why a scope has no text to answer from. */
function reasonWithoutText({ kind }: AnswerScope, { papers, retracted_left_out }: ScopeSize): string {
  if (papers === 0 && retracted_left_out > 0) return allRetracted(retracted_left_out)
  if (kind === 'all') return NOTHING_TO_ANSWER_FROM
  return papers === 0 ? NO_PAPER_IN_SCOPE : NO_TEXT_IN_SCOPE
}

async function storeQuestion(
  actor: Actor,
  of: { conversationId: string; projectId: string; leaveOutRetracted: boolean },
  { question, scope, repeats }: LibraryQuestionInput,
) {
  try {
    return await asActor(actor, async (tx) => {
      const conversation = await ownConversation(tx, actor, of.conversationId)
      const turns = repeats
        ? await readRepeatedTurns(tx, of.conversationId, repeats)
        : await readTurns(tx, of.conversationId)
      await nameConversation(tx, of.conversationId, titleOf(question))
      const messageId = await insertMessage(tx, {
        conversation_id: of.conversationId,
        project_id: of.projectId,
        asked_by: actor.userId,
        question,
        scope,
        leave_out_retracted: of.leaveOutRetracted,
        status: 'answering',
      })
      await publishChange(tx, actor, conversation)
      return { messageId, turns }
    })
  } catch (error) {
    if (brokenConstraint(error) === ONE_ANSWER) throw new AppError('conflict', STILL_ANSWERING)
    throw error
  }
}

/** Writes an answer, stores its final state, and emits its events. */
async function run(actor: Actor, conversationId: string, asked: AskedQuestion, answer: RunningAnswer): Promise<void> {
  const { messageId, emit } = answer
  const state = new AnswerState(actor, { id: messageId, conversationId })
  state.papers = asked.size.papers
  state.retracted_left_out = asked.size.retracted_left_out
  emit({ event: 'papers', data: { message_id: messageId, papers: asked.size.papers } })
  const stopWatching = watchAccess(
    actor,
    (tx) => ownConversation(tx, actor, conversationId),
    (error) => answer.abort(error),
  )
  let written: End | undefined
  await whenFree(answer.signal, async () => {
    const limit = new AbortController()
    const tooSlow = () => limit.abort(new AppError('outside_slow', answerTooSlow(env.AI_ANSWER_SECONDS)))
    const timer = setTimeout(tooSlow, env.AI_ANSWER_SECONDS * 1000)
    const signal = AbortSignal.any([answer.signal, limit.signal])
    try {
      await writeAnswer(actor, asked, state, { emit, signal })
      written = { status: 'done', failure: null }
    } catch (error) {
      written = endOf(error, signal)
    } finally {
      clearTimeout(timer)
    }
  })
  const end = written ?? endOf(answer.signal.reason, answer.signal)
  stopWatching()
  const row = await storeEnd(actor, { id: messageId, conversationId }, end, state)
  const stored = row && row !== DELETED && row !== ENDED ? await present(actor, row) : undefined
  answer.failure =
    row === DELETED
      ? notFound('Conversation')
      : row === ENDED
        ? new AppError('busy', ANSWER_INTERRUPTED)
        : (end.failure ?? (stored ? null : new AppError('internal', CHAT_FAILED)))
  if (stored && !answer.failure) emit({ event: 'done', data: stored })
  else emit({ event: 'error', data: { message: answer.failure?.message ?? CHAT_FAILED } })
}

/**
 * Runs `work` as soon as the number of answers that are being written is below its maximum. If `signal` is aborted before that,
 * resolves without running it.
 */
const whenFree = (signal: AbortSignal, work: () => Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return resolve()
    waiting += 1
    const leave = () => {
      waiting -= 1
      signal.removeEventListener('abort', end)
    }
    const end = () => {
      leave()
      resolve()
    }
    signal.addEventListener('abort', end)
    inTurn(async () => {
      if (signal.aborted) return
      leave()
      await work()
    }).then(resolve, reject)
  })

interface End {
  status: 'done' | 'stopped' | 'failed'
  failure: AppError | null
}

function endOf(error: unknown, signal: AbortSignal): End {
  const cause: unknown = signal.aborted ? signal.reason : error
  if (cause === STOPPED) return { status: 'stopped', failure: null }
  if (cause === INTERRUPTED) return { status: 'stopped', failure: new AppError('busy', ANSWER_INTERRUPTED) }
  if (cause instanceof AppError) return failed(cause)
  log.error({ err: cause }, 'an answer over a project failed unexpectedly')
  return failed(new AppError('internal', CHAT_FAILED, { cause }))
}

const failed = (failure: AppError): End => ({ status: 'failed', failure })

const DELETED = Symbol('deleted')
const ENDED = Symbol('ended')

/**
 * Stores the final state of an answer and returns its message. If this fails, for example because the user has lost the right,
 * stores only the failure, with the rights of the system, and returns undefined. Returns DELETED if the message does not exist
 * any more, and ENDED if another server has ended the answer, because this one was silent for too long.
 */
async function storeEnd(
  actor: Actor,
  { id, conversationId }: { id: string; conversationId: string },
  { status, failure }: End,
  state: AnswerState,
): Promise<StoredMessage | typeof DELETED | typeof ENDED | undefined> {
  const error = failure?.message ?? null
  try {
    const { answer, ...rest } = state.toStored()
    const hasAnswer = status === 'done' || answer.sentences.length > 0 || answer.unsupported.length > 0
    const change = { ...rest, status, error, answer: hasAnswer ? answer : null }
    const row = await asActor(actor, async (tx) => {
      if (!(await updateAnswer(tx, id, change))) return
      await publishChange(tx, actor, await ownConversation(tx, actor, conversationId))
      return findMessage(tx, id)
    })
    if (row) return row
  } catch (cause) {
    log.error({ err: cause, message: id }, 'the end of an answer could not be stored')
  }
  try {
    return await asSystem(async (tx) => {
      const isStored = await updateAnswer(tx, id, { status: 'failed', error: error ?? CHAT_FAILED })
      return isStored ? undefined : (await findMessage(tx, id)) ? ENDED : DELETED
    })
  } catch (cause) {
    log.error({ err: cause, message: id }, 'the end of an answer could not be stored')
    return undefined
  }
}

async function present(actor: Actor, row: StoredMessage): Promise<ConversationMessage | undefined> {
  try {
    return (await presentMessages(actor, [row]))[0]
  } catch (cause) {
    log.error({ err: cause, message: row.id }, 'a stored answer could not be shown')
    return undefined
  }
}

/** Waits for the end of an answer and returns its message. Throws the error of an answer that failed. */
export async function wholeAnswer(answer: RunningAnswer): Promise<ConversationMessage> {
  for await (const { event, data } of answer.events()) if (event === 'done') return data
  throw answer.failure ?? new AppError('internal', CHAT_FAILED)
}
