import type { RawRecord } from './read-record.ts'

/** The rules of a format with one tag at the start of a line: RIS, PubMed, EndNote tagged and Web of Science. */
export interface TaggedDialect {
  /** Returns the tag and the value of a line, or null for a line that continues the last value. */
  split: (line: string) => [tag: string, value: string] | null
  /**
   * Returns true if a record starts at a line with this tag. `afterBlank` is true after a blank line. `record` is the record
   * before this line; null if there is none or an end tag has ended it.
   */
  starts: (tag: string, afterBlank: boolean, record: TaggedRecord | null) => boolean
  /** The tag that ends a record. */
  end?: string
}

/**
 * One record with its values in the order of the file. A value that continues on further lines contains '\n' between the lines.
 */
export interface TaggedRecord extends RawRecord {
  fields: [tag: string, value: string][]
}

/**
 * Yields each line of a text with the offsets of its start and its line end. Lines end with LF, CRLF, or CR in files of old
 * Macs.
 */
function* linesOf(text: string): Generator<{ line: string; start: number; end: number }> {
  const separator = text.includes('\n') ? '\n' : '\r'
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(separator, start)
    const end = found === -1 ? text.length : found
    yield { line: text.slice(start, text[end - 1] === '\r' ? end - 1 : end), start, end }
    start = end + 1
  }
}

/**
 * Splits a file into its records. Text before the first record is ignored. A record without an end tag ends before the next
 * record or at the end of the file.
 */
export function* taggedRecords(text: string, { split, starts, end: endTag }: TaggedDialect): Generator<TaggedRecord> {
  let record: TaggedRecord | null = null
  let from = 0
  let until = 0
  let afterBlank = true
  let number = 0
  for (const { line, start, end } of linesOf(text)) {
    number++
    const found = split(number === 1 ? line.replace(/^\uFEFF/, '') : line)
    if (found && starts(found[0], afterBlank, record)) {
      if (record) yield { ...record, raw: text.slice(from, until) }
      record = { line: number, raw: '', fields: [] }
      from = start
    }
    const isBlank = line.trim() === ''
    if (record && found?.[0] === endTag && endTag) {
      yield { ...record, raw: text.slice(from, end) }
      record = null
    } else if (record && found) record.fields.push(found)
    else if (record && !isBlank) continueValue(record, line)
    if (!isBlank) until = end
    afterBlank = isBlank
  }
  if (record) yield { ...record, raw: text.slice(from, until) }
}

function continueValue({ fields }: TaggedRecord, line: string): void {
  const last = fields.at(-1)
  if (last) last[1] += `\n${line.trim()}`
}

/** The values of one record by tag. The values of a tag have the order of the file. */
export type TaggedValues = Map<string, string[]>

/** Groups the values of a record by tag, without empty values. */
export function valuesOf({ fields }: TaggedRecord): TaggedValues {
  const values: TaggedValues = new Map()
  for (const [tag, value] of fields) {
    const trimmed = value.trim()
    if (trimmed === '') continue
    const known = values.get(tag)
    if (known) known.push(trimmed)
    else values.set(tag, [trimmed])
  }
  return values
}

/** Returns all values of several tags. The values of the first tag come first. */
export const allOf = (values: TaggedValues, ...tags: string[]) => tags.flatMap((tag) => values.get(tag) ?? [])

/** Returns all values of the first tag in `tags` that has a value; empty if no tag has one. */
export const firstOf = (values: TaggedValues, ...tags: string[]) =>
  values.get(tags.find((tag) => values.has(tag)) ?? '') ?? []

/** Splits values into lines. Used for tags that have one author or keyword in each line. */
export const linesIn = (values: readonly string[]) => values.flatMap((value) => value.split('\n'))
