import { type WriteOptions, writeReferences } from '#server/formats/index.ts'
import type { WriteFormat } from '#shared/contract/reference-formats.ts'
import { citedReference } from '#shared/references/cited-reference.ts'
import type { StoredReference } from '#shared/references/columns.ts'

/** A paper of an export, as a database query returns it. */
export interface ExportedPaper {
  id: string
  filename: string
  title: string | null
  /** The reference as JSON text. The worker parses it, so that the main thread does not have to. */
  reference: string
  /** The tags of the paper. */
  keywords: string[]
  /** The file name of the paper's PDF, if the export is an archive with PDFs. */
  file?: string
}

/** A task of the worker: some papers, which it writes as one part of an export file. */
export interface PartTask {
  papers: ExportedPaper[]
  format: WriteFormat
  options: WriteOptions
}

/** Returns the text of a part of an export file. The keywords of a paper are the keywords of its source and its tags. */
export function writePart({ papers, format, options }: PartTask): string {
  const items = papers.map(({ reference, keywords, file, ...paper }) => ({
    reference: citedReference({ ...paper, reference: JSON.parse(reference) as StoredReference }),
    tags: keywords,
    ...(file === undefined ? {} : { file }),
  }))
  return [...writeReferences(items, format, options)].join('')
}
