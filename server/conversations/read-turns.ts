import type { Tx } from '#server/db/client.ts'
import { REMEMBERED_TURNS } from '#shared/contract/conversations.ts'
import { listTurns } from './answer-queries.ts'

/** A question of a conversation with its answer as text. */
export interface Turn {
  question: string
  answer: string
}

/** Most characters of an earlier answer in a prompt. */
const LONGEST_ANSWER = 2000

/** Returns the last turns of a conversation over a project, oldest first. */
export async function readTurns(tx: Tx, conversationId: string): Promise<Turn[]> {
  const rows = await listTurns(tx, conversationId, REMEMBERED_TURNS)
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
