import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import type { StoredAnswer } from '#server/db/stored-answers.ts'
import { listTitles } from '#server/documents/index.ts'
import { readEvidence } from '#server/evidence/index.ts'
import type { ConversationMessage, LibraryAnswer, ReadPassage, StoredEvidence } from '#shared/contract/conversations.ts'
import type { MatchOfPassage } from '#shared/contract/match-of-passage.ts'
import { presentChat } from './present-chat.ts'
import { listFeedback, listPassages, listRunNumbers, type StoredMessage } from './queries.ts'

/**
 * Converts stored messages to the form in which the API returns them to the caller. Omits papers that the caller cannot read.
 */
export async function presentMessages(actor: Actor, rows: readonly StoredMessage[]): Promise<ConversationMessage[]> {
  const ids = rows.map(({ id }) => id)
  const { feedback, evidence, titles, runNumbers } = await asActor(actor, async (tx) => {
    const evidence = await readEvidence(tx, 'message', ids)
    const cited = [...evidence.values(), ...rows.flatMap(({ sources }) => sources)]
    const titles = await listTitles(tx, [...new Set(cited.map(({ document_id }) => document_id))])
    const runNumbers = await listRunNumbers(
      tx,
      rows.flatMap(({ run_id }) => run_id ?? []),
    )
    return { feedback: await listFeedback(tx, ids), evidence, titles, runNumbers }
  })
  const visible = new Map([...evidence].filter(([, { document_id }]) => titles.has(document_id)))
  const presented: ConversationMessage[] = []
  for (const row of rows) {
    const { id, question, scope, leave_out_retracted, asked_at, status, error, run_id } = row
    const opinion = feedback.get(id)
    const chat = row.answer && 'chat' in row.answer ? await presentChat(actor, row, row.answer) : null
    presented.push({
      id,
      question,
      scope,
      leave_out_retracted,
      asked_at,
      status,
      error,
      answer: presentAnswer(row.answer, visible),
      chat,
      // A paper can be retracted after the answer.
      sources: row.sources.flatMap((source) => {
        const paper = titles.get(source.document_id)
        // Earlier versions of Lectern stored no style.
        const citation = { ...source.citation, style: source.citation.style ?? null }
        return paper ? [{ ...source, citation, retracted: paper.retracted }] : []
      }),
      run_id,
      run_number: runNumbers.get(run_id ?? '') ?? null,
      feedback: opinion ? { helpful: opinion.helpful, note: opinion.note } : null,
    })
  }
  return presented
}

/** The match of a nearest passage in answers of earlier versions of Lectern. */
const UNKNOWN_MATCH: MatchOfPassage = { matched: null, section: null, words: [] }

/**
 * Converts a stored answer to an answer for the caller. A sentence without any evidence, because its papers were deleted,
 * becomes unsupported.
 */
function presentAnswer(
  answer: StoredAnswer | null,
  evidence: ReadonlyMap<string, StoredEvidence>,
): LibraryAnswer | null {
  if (answer === null || 'chat' in answer) return null
  const found = (ids: readonly string[]) => ids.flatMap((id) => evidence.get(id) ?? [])
  const { nearest_matches: matches = [], ...shown } = answer
  const sentences = answer.sentences.map((sentence) => ({ ...sentence, evidence: found(sentence.evidence) }))
  const lost = sentences.filter((sentence) => sentence.evidence.length === 0)
  return {
    ...shown,
    // Earlier versions of Lectern stored such an answer as a refusal.
    kind: answer.kind === 'refusal' && answer.unsupported.length > 0 ? 'unverified' : answer.kind,
    sentences: sentences.filter((sentence) => sentence.evidence.length > 0),
    unsupported: [...answer.unsupported, ...lost.map(({ text }) => ({ text, reason: 'paper deleted' as const }))],
    nearest: answer.nearest.flatMap((id, at) => {
      const one = evidence.get(id)
      return one ? [{ ...one, ...(matches[at] ?? UNKNOWN_MATCH) }] : []
    }),
    missing: answer.missing ?? [],
    apart: answer.apart ?? [],
  }
}

/** Returns the passages that a model read for an answer, without papers that the caller cannot read. */
export async function presentPassages(tx: Tx, { id }: StoredMessage): Promise<ReadPassage[]> {
  const passages = await listPassages(tx, id)
  const titles = await listTitles(tx, [...new Set(passages.map(({ document_id }) => document_id))])
  return passages.flatMap((passage) => {
    const names = titles.get(passage.document_id)
    return names ? [{ ...passage, title: names.title }] : []
  })
}
