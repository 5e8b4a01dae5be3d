import type { Tx } from '#server/db/client.ts'
import type { JoinedAnswers } from '#server/db/stored-duplicates.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { moveEvidence } from '#server/evidence/index.ts'
import { listCiting, listSourcesAround, moveChats, returnChats, updateSources } from './move-queries.ts'

/** The move of a join, from one paper to the other. */
interface Move {
  from: string
  to: string
}

/**
 * Moves the chats with a paper, and the evidence and sources of the answers that cite it, to the paper that it is joined with.
 * The quotes are searched in its text. A moved source has the number that the other paper has in the conversation, if any.
 * Returns the changes for `returnAnswers`.
 */
export const moveAnswers = (tx: Tx, move: Move): Promise<JoinedAnswers> =>
  withOwnerRole(tx, async () => {
    const evidence = await moveEvidence(tx, move)
    return {
      evidence_ids: evidence.map(({ id }) => id),
      conversation_ids: await moveChats(tx, move),
      sources: await moveSources(tx, [...new Set(evidence.map(({ subject_id }) => subject_id))], move),
    }
  })

async function moveSources(tx: Tx, messageIds: string[], { from, to }: Move): Promise<JoinedAnswers['sources']> {
  if (messageIds.length === 0) return []
  const rows = await listSourcesAround(tx, messageIds)
  const numbers = new Map(
    rows.flatMap(({ conversation_id, sources }) =>
      sources.flatMap(({ document_id, number }) => (document_id === to ? [[conversation_id, number] as const] : [])),
    ),
  )
  const moved: JoinedAnswers['sources'] = []
  for (const { id, conversation_id, sources } of rows) {
    const source = sources.find(({ document_id }) => document_id === from)
    if (!source) continue
    const replaced = sources.every(({ document_id }) => document_id !== to)
    const number = numbers.get(conversation_id) ?? source.number
    const next = sources.flatMap((one) =>
      one === source ? (replaced ? [{ ...source, document_id: to, number }] : []) : [one],
    )
    await updateSources(tx, id, next)
    moved.push({ message_id: id, source, replaced })
  }
  return moved
}

/** Undoes `moveAnswers`: moves the same chats, evidence and sources back to the joined paper. */
export const returnAnswers = (
  tx: Tx,
  { evidence_ids, conversation_ids, sources: moved }: JoinedAnswers,
  { from, to }: Move,
): Promise<void> =>
  withOwnerRole(tx, async () => {
    await moveEvidence(tx, { from, to, ids: evidence_ids })
    await returnChats(tx, { from, to, ids: conversation_ids })
    if (moved.length === 0) return
    const messageIds = moved.map(({ message_id }) => message_id)
    const stillCited = await listCiting(tx, from, messageIds)
    const rows = new Map((await listSourcesAround(tx, messageIds)).map((row) => [row.id, row.sources]))
    for (const { message_id, source, replaced } of moved) {
      const sources = rows.get(message_id)
      if (!sources) continue
      // The answer may still cite the paper that stayed, directly or by another joined paper.
      const last = Math.max(source.number, ...sources.map(({ number }) => number))
      const rest = !replaced
        ? sources
        : sources.flatMap((one) =>
            one.document_id !== from ? [one] : stillCited.has(message_id) ? [{ ...one, number: last + 1 }] : [],
          )
      const next = [...rest, source].toSorted((one, other) => one.number - other.number)
      await updateSources(tx, message_id, next)
    }
  })
