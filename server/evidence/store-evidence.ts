import { randomUUID } from 'node:crypto'
import type { Tx } from '#server/db/client.ts'
import type { StoredEvidence } from '#shared/contract/conversations.ts'
import type { FoundEvidence } from './find-evidence.ts'
import { type EvidenceRow, insertEvidence, listEvidence } from './queries.ts'

/** The row whose statement the evidence supports. */
export interface EvidenceSubject {
  kind: EvidenceRow['subject_kind']
  id: string
  /** Null for a subject without a project. */
  projectId: string | null
  /** The account that created the subject, which must be that of the transaction. */
  createdBy: string
  /** 'me': only that account reads the evidence. */
  visibility: EvidenceRow['visibility']
  runId?: string | null
}

/**
 * Stores evidence of a subject and returns the ids in the given order. Evidence of an older text is searched in the newest
 * text after the commit. Needs the right 'ask' in the project.
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
 * Returns the evidence of subjects by its id. Leaves out evidence of deleted papers and of subjects that the caller does not
 * read. Evidence that is not searched in the newest text yet has no offsets.
 */
export async function readEvidence(
  tx: Tx,
  kind: EvidenceRow['subject_kind'],
  subjectIds: readonly string[],
): Promise<Map<string, StoredEvidence>> {
  const rows = await listEvidence(tx, kind, subjectIds)
  return new Map(rows.map((row) => [row.id, presentEvidence(row)]))
}

/** Returns evidence as the API has it. */
export function presentEvidence(row: EvidenceRow): StoredEvidence {
  const { id, document_id, text_version, page, quote, prefix, suffix, match, score, lost, is_stale } = row
  const place = is_stale ? { start: null, end: null } : { start: row.start, end: row.end }
  return { id, document_id, text_version, page, ...place, quote, prefix, suffix, match, score, lost }
}
