import type { WriteFormat } from '#shared/contract/reference-formats.ts'
import type { ExportItem, WriteOptions } from './export-item.ts'
import { writeBiblatex, writeBibtex } from './write-bibtex.ts'
import { writeCslJson } from './write-csl-json.ts'
import { writeCsv } from './write-csv.ts'
import { writeEndnoteXml } from './write-endnote-xml.ts'
import { writeNbib } from './write-nbib.ts'
import { writeRis } from './write-ris.ts'

type Writer = (items: Iterable<ExportItem>, options?: WriteOptions) => Generator<string>

const WRITERS: Record<WriteFormat, Writer> = {
  bibtex: writeBibtex,
  biblatex: writeBiblatex,
  ris: writeRis,
  'csl-json': writeCslJson,
  'endnote-xml': writeEndnoteXml,
  nbib: writeNbib,
  csv: writeCsv,
}

/** Writes references in the given format. Yields the text in parts, so that an export of any length can be streamed. */
export const writeReferences: (
  items: Iterable<ExportItem>,
  format: WriteFormat,
  options?: WriteOptions,
) => Generator<string> = (items, format, options) => WRITERS[format](items, options)
