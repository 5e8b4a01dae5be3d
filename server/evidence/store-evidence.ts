import { randomUUID } from 'node:crypto'
import type { Tx } from '#server/db/client.ts'
import type { StoredEvidence } from '#shared/contract/conversations.ts'
import type { FoundEvidence } from './find-evidence.ts'
import { type EvidenceRow, insertEvidence, listEvidence } from './queries.ts'

/** The row that the evidence (a quote) belongs to, such as an answer. The evidence supports a statement of this row. */
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
 * Stores evidence of a subject (the message of a conversation that cites it) and returns the ids of its rows in the order of
 * `found`. If evidence belongs to an older version of the text, its quote is searched in the current text after the commit.
 * Needs the right 'ask' in the project.
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
 * Returns the evidence of subjects, by the id of the evidence. Leaves out evidence of deleted papers and of subjects that the
 * caller cannot read. Evidence that has not been searched in the current text has no offsets.
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
