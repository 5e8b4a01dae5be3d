import type { CsvColumns, InspectedFile } from '#server/formats/index.ts'
import type { RecordCounts } from '#server/imports/index.ts'
import type { ReadFormat } from '#shared/contract/reference-formats.ts'
import type { Reference } from '#shared/contract/references.ts'
import type { ReferenceColumns, StoredReference } from '#shared/references/columns.ts'

/** Maximum number of records that one transaction writes. */
export const BATCH_RECORDS = 200

/** The choices of a user for importing a file. */
export interface RecordChoices {
  format?: ReadFormat | undefined
  columns?: CsvColumns | undefined
  joinDuplicates: boolean
  keepCitationKeys: boolean
  groupsAsTags: boolean
  tags: string[]
}

/** A record of an import before it is compared with the papers of the project. */
export interface PlannedRecord {
  position: number
  line: number | null
  raw: string | null
  /** The reference of the record; null for a record that cannot be read, which has a `reason`. */
  reference: Reference | null
  reason: string | null
  /** True if records of this kind, such as notes, are not imported. */
  isSkipped?: true | undefined
  /** The position of an earlier record of the import that is certainly the same paper. */
  within?: number
  /**
   * The reference of the paper, with empty fields filled from later records of the same paper. Only the first record of a paper
   * has it.
   */
  paper?: Reference
  tags: string[]
}

/**
 * The position of a batch (a part of an import that is stored in one transaction) in the file that the worker writes. A batch
 * has two lines: the keys of its records, for the search of papers that could be the same, and the records. Offsets are in
 * bytes.
 */
export interface Batch {
  keysAt: number
  recordsAt: number
  end: number
  count: number
}

/** Values that identify papers, by kind. They are used to find papers of a project that could be the same. */
export interface CandidateKeys {
  doi: string[]
  pmid: string[]
  pmcid: string[]
  arxiv: string[]
  isbn: string[]
  title: string[]
}

/** A record of a source that is not a file, such as Zotero. */
export interface SourceRecord {
  /** The record as it is in the source. */
  raw: string
  reference?: Reference | undefined
  /** The reason for a missing reference. */
  reason?: string | undefined
  /** True if records of this kind, such as notes, are not imported. */
  isSkipped?: true | undefined
  /** Tags in the source. They become tags of the paper if the choice `groupsAsTags` is true. */
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
  /** The position of the first record of the paper. It determines the order of new documents. */
  position?: number
  reference: Reference | StoredReference
  keywords?: string[]
}

/**
 * The result of comparing a batch (a part of an import) with the papers of the project: the rows for the database as JSON
 * texts, the ids of created and changed documents, and the counts.
 */
export interface JoinedBatch {
  documents: string
  changes: string
  /** The number of existing papers in `changes`. */
  filled: number
  /** The tags to add to existing papers: `[{id, keywords}]`. */
  tagged: string
  records: string
  created: string[]
  changed: string[]
  counts: RecordCounts
}

/**
 * The paper that is certainly the same as a reference in a list: `id` is a document of the project; `within` is the zero-based
 * index of an earlier reference in the list. Null for a new paper.
 */
export type SamePaper = { id: string } | { within: number } | null

/** The tasks of the worker, with their input and output. */
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
    /** `before` is the number of records that the import already has. */
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
