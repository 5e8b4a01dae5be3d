import type { CsvColumns, InspectedFile } from '#server/formats/index.ts'
import type { RecordCounts } from '#server/imports/index.ts'
import type { ReadFormat } from '#shared/contract/reference-formats.ts'
import type { Reference } from '#shared/contract/references.ts'
import type { ReferenceColumns, StoredReference } from '#shared/references/columns.ts'

/** Maximum number of records that one transaction writes. */
export const BATCH_RECORDS = 200

/** The choices of a user for the records of a file. */
export interface RecordChoices {
  format?: ReadFormat | undefined
  columns?: CsvColumns | undefined
  joinDuplicates: boolean
  keepCitationKeys: boolean
  groupsAsTags: boolean
  tags: string[]
}

/** A record of an import before its outcome is known. */
export interface PlannedRecord {
  position: number
  line: number | null
  raw: string | null
  /** The reference of the record; null for a record that cannot be read, which has a `reason`. */
  reference: Reference | null
  reason: string | null
  /** True for a record of a kind that is not imported. */
  isSkipped?: true | undefined
  /** The position of the record of the same file that is certainly the same paper. */
  within?: number
  /** Only for the first record of a paper in the file: its reference, with empty fields filled from the later records. */
  paper?: Reference
  tags: string[]
}

/**
 * The place of a batch in a file: a line with the keys of the records, for the search of candidates, and a line with the records.
 * Offsets in bytes.
 */
export interface Batch {
  keysAt: number
  recordsAt: number
  end: number
  count: number
}

/** The values that identify papers, for the search of papers that a project has. */
export interface CandidateKeys {
  doi: string[]
  pmid: string[]
  pmcid: string[]
  arxiv: string[]
  isbn: string[]
  title: string[]
}

/** A record of a source that is not a file. */
export interface SourceRecord {
  /** The record as it is in the source. */
  raw: string
  reference?: Reference | undefined
  /** The reason for a missing reference. */
  reason?: string | undefined
  /** True for a record of a kind that is not imported. */
  isSkipped?: true | undefined
  /** Tags in the source. They become tags of the paper with the choice `groupsAsTags`. */
  tags?: string[]
}

/** A paper of the project that could be the same as a record. */
export interface Candidate {
  id: string
  version: number
  has_file: boolean
  created_at: string
  edited_fields: string[]
  reference: StoredReference
}

/** A document to insert, or, with `version`, a document to change if it still has this version. */
export interface DocumentValues extends ReferenceColumns {
  id: string
  version?: number
  /** The position of its first record, for the order of new documents. */
  position?: number
  reference: Reference | StoredReference
  keywords?: string[]
}

/** The rows of a batch, as JSON for the database. */
export interface JoinedBatch {
  documents: string
  changes: string
  /** The tags that existing papers get: `[{id, keywords}]`. */
  tagged: string
  records: string
  created: string[]
  changed: string[]
  counts: RecordCounts
}

/**
 * The paper that is certainly the same as a reference of a list: a document of the project, or the paper of an earlier reference
 * of the list, by its zero-based index; null for a new paper.
 */
export type SamePaper = { id: string } | { within: number } | null

/** The tasks of the worker. */
interface Tasks {
  inspect: {
    input: { path: string; format?: ReadFormat | undefined; columns?: CsvColumns | undefined }
    output: Inspected
  }
  read: {
    input: { path: string; target: string; choices: RecordChoices }
    output: { batches: Batch[]; tags: string[]; count: number }
  }
  plan: {
    /** `before` is the number of records of the import before these. */
    input: { records: readonly SourceRecord[]; choices: RecordChoices; before: number }
    output: { keys: string; records: string }
  }
  match: {
    input: { records: string; candidates: string }
    output: SamePaper[]
  }
  join: {
    input: { records: Uint8Array | string; candidates: string; joinDuplicates: boolean }
    output: JoinedBatch
  }
}
export type ReferenceTasks = Tasks
export type ReferenceRequest = {
  [Task in keyof Tasks]: { task: Task } & Tasks[Task]['input']
}[keyof Tasks]

/** A summary of a file for its preview. */
export type Inspected = Pick<InspectedFile, 'count' | 'hasGroups' | 'columns'> & {
  format: ReadFormat
  records: { position: number; title: string | null; authors: string[]; year: number | null; reason: string | null }[]
}
