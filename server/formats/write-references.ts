import type { WriteFormat } from '#shared/contract/reference-formats.ts'
import type { ExportItem } from './export-item.ts'
import { writeRis } from './write-ris.ts'

const WRITERS: Partial<Record<WriteFormat, (items: Iterable<ExportItem>) => Generator<string>>> = { ris: writeRis }

/** Writes references in a format, in parts, so that an export of any length can be streamed. */
export function* writeReferences(items: Iterable<ExportItem>, format: WriteFormat): Generator<string> {
  yield* WRITERS[format]?.(items) ?? []
}
