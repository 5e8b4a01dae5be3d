import type { Reference } from '#shared/contract/references.ts'

/** Limit of the stored text of a record, in bytes of UTF-8. */
const MAX_RAW_BYTES = 64 * 1024
const CUT = '\n[cut at 64 kB]'

/** The text of one record of a file, before it is parsed. `line` is the number of its first line, from 1. */
export interface RawRecord {
  line: number
  raw: string
}

/**
 * A screening decision from an earlier tool that a file contains. It is offered to users and never applied without their
 * consent.
 */
export interface EarlierDecision {
  value: 'included' | 'excluded' | 'maybe' | 'unseen'
  /** True if the decision was training data (prior knowledge) for the ranking of the earlier tool. */
  isPrior?: boolean
  stage?: string
  reason?: string
}

/** The result of reading one record: its reference, or the reason why it has none. `position` counts from 1. */
export interface ReadRecord extends RawRecord {
  position: number
  reference?: Reference
  reason?: string
  /** Groups of the record in the source. They become tags if the user wants. */
  tags?: string[]
  decision?: EarlierDecision
}

/** Error of a record that cannot be read. Its message begins with the line number (from 1) and is shown to users. */
export class RecordError extends Error {
  constructor(line: number, what: string) {
    super(`Line ${line}: ${what}`)
  }
}

const IDENTIFIERS = ['DOI', 'PMID', 'PMCID', 'ISBN', 'URL'] as const
const isIdentified = (item: Reference) => item.title !== undefined || IDENTIFIERS.some((field) => item[field])

/**
 * Reads one record with `read`. Does not throw: if `read` throws, or the record has neither a title nor an identifier, the
 * result has a `reason` instead of a reference.
 */
export function readRecord(
  { line, raw }: RawRecord,
  position: number,
  read: () => Pick<ReadRecord, 'reference' | 'tags' | 'decision'>,
): ReadRecord {
  const start = { position, line, raw: cutRaw(raw) }
  try {
    const found = read()
    if (found.reference && isIdentified(found.reference)) return { ...start, ...found }
    return { ...start, reason: 'This record has neither a title nor an identifier.' }
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    return { ...start, reason: error instanceof RecordError ? what : `Line ${line}: ${what.slice(0, 300)}` }
  }
}

/** Returns the text of a record for storage: at most 64 kB, with a note if it is cut. */
export function cutRaw(raw: string): string {
  const text = raw.trimEnd()
  if (text.length * 3 <= MAX_RAW_BYTES || Buffer.byteLength(text) <= MAX_RAW_BYTES) return text
  const bytes = Buffer.from(text.slice(0, MAX_RAW_BYTES)).subarray(0, MAX_RAW_BYTES - CUT.length - 3)
  return new TextDecoder().decode(bytes).replace(/\uFFFD$/, '') + CUT
}
