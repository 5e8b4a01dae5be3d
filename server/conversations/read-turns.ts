import type { Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { hashText } from '#server/runs/index.ts'
import { REMEMBERED_TURNS } from '#shared/contract/conversations.ts'
import { listRepeated, listTurns } from './answer-queries.ts'

/** A turn of a conversation: a question, and its answer as text. */
export interface Turn {
  question: string
  answer: string
}

/** Maximum number of characters of an earlier answer in a prompt. */
const LONGEST_ANSWER = 2000

/**
 * Returns the hash of the turns (earlier questions and answers) that a model receives with a question. The hash is part of the
 * input that is stored with the run (the record of the answer).
 */
export const hashTurns = (turns: readonly Turn[]): string => hashText(JSON.stringify(turns))

/**
 * Returns the turns (earlier questions and answers) that the model received for the message `messageId`. These are the turns
 * before this message, or, if the message repeated the question of an earlier message, the turns before that earlier message.
 * To find out, the hash of the turns is compared with the hash that is stored with the message. Throws 'not_found'.
 */
export async function readRepeatedTurns(tx: Tx, conversationId: string, messageId: string): Promise<Turn[]> {
  const same = await listRepeated(tx, conversationId, messageId)
  const repeated = same.at(-1)
  if (repeated?.id !== messageId) throw notFound('Message')
  for (const { id } of same.slice(0, -1)) {
    const turns = await readTurns(tx, conversationId, id)
    if (hashTurns(turns) === repeated.turns) return turns
  }
  return readTurns(tx, conversationId, messageId)
}

/**
 * Returns the last REMEMBERED_TURNS turns (questions with answers) of a conversation over a project, oldest first. With
 * `before`, only turns before the message with this id.
 */
export async function readTurns(tx: Tx, conversationId: string, before?: string): Promise<Turn[]> {
  const rows = await listTurns(tx, conversationId, { limit: REMEMBERED_TURNS, ...(before ? { before } : {}) })
  return rows.toReversed().map(({ question, answer }) => {
    const sentences = answer && 'sentences' in answer ? answer.sentences : []
    return {
      question,
      answer: sentences
        .map(({ text }) => text)
        .join(' ')
        .slice(0, LONGEST_ANSWER)
        .toWellFormed(),
    }
  })
}
