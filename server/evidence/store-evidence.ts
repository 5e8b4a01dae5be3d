import { randomUUID } from 'node:crypto'
import type { Tx } from '#server/db/client.ts'
import type { StoredEvidence } from '#shared/contract/conversations.ts'
import type { FoundEvidence } from './find-evidence.ts'
import { type EvidenceRow, insertEvidence, listEvidence } from './queries.ts'

/**
 * The row that a piece of evidence (a quote of a paper) belongs to, such as an answer. The quote supports a statement in this
 * row.
 */
export interface EvidenceSubject {
  kind: EvidenceRow['subject_kind']
  id: string
  /** Null for a subject without a project. */
  projectId: string | null
  /** The account that created the subject. It must be the account of the transaction. */
  createdBy: string
  /** Who can read the evidence. 'me' means only the account `createdBy`. */
  visibility: EvidenceRow['visibility']
  runId?: string | null
}

/**
 * Stores the quotes `found` as evidence of `subject`, the row that cites them, such as a message of a conversation. Returns the
 * ids of the new evidence rows, in the order of `found`. If a quote was found in an older version of the text of its paper, the
 * quote is searched in the current text after the commit. Needs the right 'ask' in the project.
 */
export async function storeEvidence(
  tx: Tx,
  subject: EvidenceSubject,
  found: readonly FoundEvidence[],
): Promise<string[]> {
  const { kind, id, projectId, createdBy, visibility, runId = null } = subject
  const rows = found.map((one) => ({
    ...one,
    id: randomUUID(),
    project_id: projectId,
    owner_id: createdBy,
    subject_kind: kind,
    subject_id: id,
    visibility,
    run_id: runId,
  }))
  await insertEvidence(tx, rows)
  return rows.map((row) => row.id)
}

/**
 * Returns the stored quotes (evidence) that the rows with the ids `subjectIds` cite, by the id of the evidence. `kind` is the
 * type of these rows, such as messages. Omits quotes of deleted papers and quotes of rows that the caller cannot read. A quote
 * that has not been searched in the current text of its paper has no offsets.
 */
export async function readEvidence(
  tx: Tx,
  kind: EvidenceRow['subject_kind'],
  subjectIds: readonly string[],
): Promise<Map<string, StoredEvidence>> {
  const rows = await listEvidence(tx, kind, subjectIds)
  return new Map(rows.map((row) => [row.id, presentEvidence(row)]))
}

/** Converts a row of evidence to the form in which the API returns it. */
export function presentEvidence(row: EvidenceRow): StoredEvidence {
  const { id, document_id, text_version, page, quote, prefix, suffix, match, score, lost, is_stale } = row
  const place = is_stale ? { start: null, end: null } : { start: row.start, end: row.end }
  return { id, document_id, text_version, page, ...place, quote, prefix, suffix, match, score, lost }
}
