import { type WriteOptions, writeReferences } from '#server/formats/index.ts'
import type { WriteFormat } from '#shared/contract/reference-formats.ts'
import { citedReference } from '#shared/references/cited-reference.ts'
import type { StoredReference } from '#shared/references/columns.ts'

/** A document as the database sends it. */
export interface ExportedPaper {
  id: string
  filename: string
  title: string | null
  /** JSON, because the main thread does not parse it. */
  reference: string
  /** Tags. */
  keywords: string[]
  /** The name of its PDF in the same archive. */
  file?: string
}

/** A part of a file: a task of the worker. */
export interface PartTask {
  papers: ExportedPaper[]
  format: WriteFormat
  options: WriteOptions
}

/** Returns a part of a file. The keywords of a paper are those of its source and its tags. */
export function writePart({ papers, format, options }: PartTask): string {
  const items = papers.map(({ reference, keywords, file, ...paper }) => ({
    reference: citedReference({ ...paper, reference: JSON.parse(reference) as StoredReference }),
    tags: keywords,
    ...(file === undefined ? {} : { file }),
  }))
  return [...writeReferences(items, format, options)].join('')
}
