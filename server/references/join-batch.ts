import { randomUUID } from 'node:crypto'
import { boundedTags } from '#server/formats/index.ts'
import { comparedReference, compareReferences, type ComparedReference } from '#server/matching/index.ts'
import { columnsOf } from '#shared/references/columns.ts'
import type { Reference } from '#shared/contract/references.ts'
import { filledReference } from './fill-reference.ts'
import { certainKeys } from './plan-records.ts'
import type { Candidate, DocumentValues, JoinedBatch, PlannedRecord, SamePaper } from './tasks.ts'

interface Known {
  candidate: Candidate
  compared: ComparedReference
}

/** Compares candidates for sorting: papers with a file first, then the oldest. */
const byPreference = (a: Candidate, b: Candidate) =>
  Number(b.has_file) - Number(a.has_file) || (a.created_at < b.created_at ? -1 : 1)

/**
 * Decides the outcome of each record of a batch: a new paper, or an existing paper that is certainly the same (FMT-41). Fills
 * empty fields of the existing paper from the record. Returns the rows for the database.
 */
export function joinBatch(
  records: readonly PlannedRecord[],
  candidates: readonly Candidate[],
  joinDuplicates: boolean,
): JoinedBatch {
  const known = knownPapers(candidates)
  const documents: DocumentValues[] = []
  /** The tags of each joined paper. Several records can join the same paper. */
  const tagged = new Map<string, string[]>()
  const idOf = new Map<number, string>()
  const changed = new Set<Known>()
  const counts = { read: 0, created: 0, joined: 0, within: 0, skipped: 0, failed: 0 }

  const rows = records.map(({ position, line, raw, reference, reason, isSkipped, within, paper, tags }) => {
    counts.read++
    const row = { position, line, raw, reference: reference ?? {} }
    if (within !== undefined) {
      counts.joined++
      counts.within++
      // The record with this position may be in an earlier batch.
      const document_id = idOf.get(within) ?? null
      return {
        ...row,
        outcome: 'joined',
        document_id,
        within,
        reason: `Joined within this ${line === null ? 'import' : 'file'}, with record ${within}`,
      }
    }
    if (!paper) {
      const outcome = isSkipped ? 'skipped' : 'failed'
      counts[outcome]++
      return { ...row, outcome, document_id: null, reason }
    }
    const compared = comparedReference(paper)
    const same = joinDuplicates ? samePaper(known, compared) : undefined
    if (same) {
      counts.joined++
      idOf.set(position, same.candidate.id)
      const filled = filledReference(same.candidate.reference, paper, same.candidate.edited_fields)
      if (filled) {
        same.candidate.reference = filled
        changed.add(same)
      }
      const { id } = same.candidate
      if (tags.length > 0) tagged.set(id, boundedTags([...(tagged.get(id) ?? []), ...tags]))
      return { ...row, outcome: 'joined', document_id: id, reason: reasonOf(same.compared, compared) }
    }
    counts.created++
    const id = randomUUID()
    idOf.set(position, id)
    documents.push({ id, position, reference: paper, ...columnsOf(paper), keywords: tags })
    return { ...row, outcome: 'created', document_id: id, reason: null }
  })
  const changes = [...changed].map(({ candidate: { id, version, reference } }) => ({
    id,
    version,
    reference,
    ...columnsOf(reference),
  }))
  return {
    documents: JSON.stringify(documents),
    changes: JSON.stringify(changes),
    filled: changes.length,
    tagged: JSON.stringify([...tagged].map(([id, keywords]) => ({ id, keywords }))),
    records: JSON.stringify(rows),
    created: documents.map(({ id }) => id),
    changed: [...new Set([...changes.map(({ id }) => id), ...tagged.keys()])],
    counts,
  }
}

/**
 * Returns for each record the paper of the project or the earlier record that is certainly the same, or null if there is none.
 * `candidates` are the papers of the project that could be the same. If several are the same, an earlier record has precedence,
 * then papers with a file, then the oldest paper.
 */
export function samePapers(records: readonly PlannedRecord[], candidates: readonly Candidate[]): SamePaper[] {
  const { records: rows } = joinBatch(records, candidates, true)
  return (JSON.parse(rows) as { outcome: string; document_id: string; within?: number }[]).map(
    ({ outcome, document_id, within }) =>
      outcome !== 'joined' ? null : within === undefined ? { id: document_id } : { within: within - 1 },
  )
}

function knownPapers(candidates: readonly Candidate[]): Map<string, Known[]> {
  const known = new Map<string, Known[]>()
  for (const candidate of candidates.toSorted(byPreference)) {
    const compared = comparedReference(candidate.reference as Reference)
    const entry = { candidate, compared }
    for (const key of certainKeys(compared)) known.set(key, [...(known.get(key) ?? []), entry])
  }
  return known
}

function samePaper(known: ReadonlyMap<string, readonly Known[]>, compared: ComparedReference): Known | undefined {
  const same = certainKeys(compared)
    .flatMap((key) => known.get(key) ?? [])
    .filter((one) => compareReferences(one.compared, compared) === 'certain')
  return same.toSorted((a, b) => byPreference(a.candidate, b.candidate))[0]
}

const SAME = [
  ['doi', 'Same DOI as a paper you have'],
  ['pmid', 'Same PMID as a paper you have'],
  ['pmcid', 'Same PMCID as a paper you have'],
  ['arxiv', 'Same arXiv id as a paper you have'],
  ['isbn', 'Same ISBN as a paper you have'],
] as const

const reasonOf = (paper: ComparedReference, record: ComparedReference) =>
  SAME.find(([id]) => paper[id] !== undefined && paper[id] === record[id])?.[1] ??
  'Same title, first author and place as a paper you have'
