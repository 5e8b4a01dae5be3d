import type { Tx } from '#server/db/client.ts'
import type { StoredSource } from '#server/db/stored-answers.ts'
import type { JoinedAnswers } from '#server/db/stored-duplicates.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { moveEvidence } from '#server/evidence/index.ts'
import { listCiting, listSourcesAround, moveChats, returnChats, updateSources } from './move-queries.ts'

/** The ids of the paper from which answers are moved and of the paper to which they are moved. */
interface Move {
  from: string
  to: string
}

/**
 * Moves chats and citations when the paper `from` is merged into its duplicate `to`: the chats about the paper `from`, and the
 * evidence (quotes) and sources of the answers that cite it. The quotes are searched in the text of `to`. A moved source gets
 * the number that `to` already has in the conversation, if any. Returns the changes, so that `returnAnswers` can undo them.
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
    moved.push({ message_id: id, source })
  }
  return moved
}

/**
 * Undoes `moveAnswers`: moves the same chats, evidence and sources back. `from` is the paper that was kept, `to` the duplicate
 * that was merged into it.
 */
export const returnAnswers = (
  tx: Tx,
  { evidence_ids, conversation_ids, sources: moved }: JoinedAnswers,
  { from, to }: Move,
): Promise<void> =>
  withOwnerRole(tx, async () => {
    await moveEvidence(tx, { from, to, ids: evidence_ids })
    await returnChats(tx, { from, to, ids: conversation_ids })
    if (moved.length > 0) await returnSources(tx, moved, { from, to })
  })

/**
 * Undoes the move of sources from `to` to `from` in the answers `moved`: adds the paper `to` to their sources again, and
 * removes the paper `from` from those that no longer cite it. In each conversation, a paper has one number. `to` keeps the
 * number that it still has in the conversation; otherwise it gets its former number. If `from` has this number now, `from` gets
 * the next free number. If a third paper has it, `to` gets the next free number.
 */
async function returnSources(tx: Tx, moved: JoinedAnswers['sources'], { from, to }: Move): Promise<void> {
  const messageIds = moved.map(({ message_id }) => message_id)
  const returned = new Map(moved.map(({ message_id, source }) => [message_id, source]))
  const stillCited = await listCiting(tx, from, messageIds)
  const isCited = (id: string, { document_id }: StoredSource) =>
    document_id !== from || !returned.has(id) || stillCited.has(id)
  const rows = (await listSourcesAround(tx, messageIds)).map(({ id, conversation_id, sources }) => {
    return { id, conversation_id, sources: sources.filter((source) => isCited(id, source)) }
  })
  for (const group of Map.groupBy(rows, ({ conversation_id }) => conversation_id).values()) {
    const renumbered = numbersAfter(group, returned, { from, to })
    for (const { id, sources } of group) {
      const source = returned.get(id)
      const all = source ? [...sources.filter(({ document_id }) => document_id !== to), source] : sources
      const next = all.map((one) => ({ ...one, number: renumbered.get(one.document_id) ?? one.number }))
      const sorted = next.toSorted((one, other) => one.number - other.number)
      if (source || renumbered.has(from)) await updateSources(tx, id, sorted)
    }
  }
}

/** Returns the new numbers of `to` and, if it changes, of `from` in a conversation, by paper id. */
function numbersAfter(
  group: readonly { id: string; sources: readonly StoredSource[] }[],
  returned: ReadonlyMap<string, StoredSource>,
  { from, to }: Move,
): Map<string, number> {
  const holders = new Map(
    group.flatMap(({ sources }) => sources.map(({ document_id, number }) => [number, document_id])),
  )
  const wanted = group.flatMap(({ id }) => returned.get(id) ?? [])[0]!.number
  const holder = holders.get(wanted)
  const present = [...holders].find(([, id]) => id === to)
  const next = Math.max(wanted, ...holders.keys()) + 1
  if (present) return new Map([[to, present[0]]])
  if (holder === from)
    return new Map([
      [to, wanted],
      [from, next],
    ])
  return new Map([[to, holder === undefined ? wanted : next]])
}
