import { useEffect, useRef, useState } from 'react'
import type { CsvFieldName } from '#shared/contract/csv-fields.ts'
import type { ImportPreview, SourceKind } from '#shared/contract/imports.ts'
import { IMPORT_REFUSALS, MAX_IMPORT_BYTES, type ReadFormat } from '#shared/contract/reference-formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { readDate } from '#web/lib/dates.ts'
import { previewFile, startImport } from './queries.ts'

/** Column index (from 0) of each field of a CSV file. A field without a column is absent. */
export type Columns = Partial<Record<CsvFieldName, number>>

/** The source of a file, for example a database. The form of a new file starts with the source of the previous file. */
export interface Source {
  name: string
  kind: SourceKind
  /** The date of the search in the source, as the user typed it. `readDate` parses it. */
  searchedOn: string
  search: string
}

/** A file of the dialog with its source, preview and options. */
export interface ImportFile {
  key: number
  file: File
  source: Source
  preview: ImportPreview | undefined
  /** The format that the user chose; undefined if the detected format is used. */
  format: ReadFormat | undefined
  columns: Columns | undefined
  error: string | undefined
}

/** The options of an import. */
export interface Choices {
  join: boolean
  keepKeys: boolean
  fetch: boolean
  groups: boolean
  tags: string[]
}

const NO_SOURCE: Source = { name: '', kind: 'database', searchedOn: '', search: '' }
let nextKey = 1

/** Returns whether the date of the search in a source is neither empty nor a date. */
export const hasInvalidDate = ({ searchedOn }: Source) => searchedOn.trim() !== '' && readDate(searchedOn) === null

/**
 * State of the import dialog: the files with their previews and sources, and functions to change and import them. `dropped` are
 * the files at the start.
 */
export function useImportFiles(projectId: string, dropped: readonly File[] = []) {
  const [files, setFiles] = useState<readonly ImportFile[]>([])
  const [sending, setSending] = useState(false)
  const patch = (key: number, change: Partial<ImportFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)))

  const read = (entry: ImportFile) => {
    if (entry.file.size > MAX_IMPORT_BYTES) return patch(entry.key, { error: IMPORT_REFUSALS.tooLarge })
    const { format, columns } = entry
    previewFile(entry.file, readingFields({ format, columns }), new AbortController().signal).then(
      // Ignores the response if the user has changed the format or the columns since the request.
      (preview) =>
        setFiles((all) =>
          all.map((one) =>
            one.key === entry.key && one.format === format && one.columns === columns
              ? { ...one, preview, error: undefined }
              : one,
          ),
        ),
      (error: unknown) => patch(entry.key, { error: messageOf(error) }),
    )
  }
  const add = (list: Iterable<File>) => {
    const source = files.at(-1)?.source ?? NO_SOURCE
    const added = Array.from(list).map((file): ImportFile => ({
      key: nextKey++,
      file,
      source,
      preview: undefined,
      format: undefined,
      columns: undefined,
      error: undefined,
    }))
    setFiles([...files, ...added])
    for (const entry of added) read(entry)
  }
  const first = useRef(() => add(dropped))
  useEffect(() => first.current(), [])
  const reread = (entry: ImportFile, change: Pick<ImportFile, 'format' | 'columns'>) => {
    const next = { ...entry, ...change, error: undefined }
    patch(entry.key, { ...change, error: undefined, ...(change.columns ? {} : { preview: undefined }) })
    read(next)
  }
  const ready = files.filter(({ preview, error }) => preview && !error)

  /**
   * Starts one import for each file that has a preview and no error, and removes it from the files. Returns true if no file is
   * left.
   */
  const send = async (choices: Choices): Promise<boolean> => {
    setSending(true)
    let left = files.length
    for (const entry of ready)
      try {
        await startImport(entry.file, { project_id: projectId, ...fieldsOf(entry, choices) }, () => undefined)
        setFiles((all) => all.filter(({ key }) => key !== entry.key))
        left -= 1
      } catch (error) {
        patch(entry.key, { error: messageOf(error) })
      }
    setSending(false)
    return left === 0
  }
  return {
    files,
    sending,
    ready,
    count: ready.reduce((sum, { preview }) => sum + preview!.count, 0),
    add,
    send,
    remove: (key: number) => setFiles((all) => all.filter((one) => one.key !== key)),
    setSource: (key: number, source: Source) => patch(key, { source }),
    setFormat: (entry: ImportFile, format: ReadFormat) => reread(entry, { format, columns: undefined }),
    setColumns: (entry: ImportFile, columns: Columns) => reread(entry, { format: entry.format, columns }),
    isReading: files.some(({ preview, error }) => !preview && !error),
    isInvalid: ready.some(({ source }) => hasInvalidDate(source)),
  }
}

const readingFields = ({ format, columns }: Pick<ImportFile, 'format' | 'columns'>): Record<string, string> => ({
  ...(format ? { format } : {}),
  ...(columns ? { columns: JSON.stringify(columns) } : {}),
})

const fieldsOf = (entry: ImportFile, choices: Choices): Record<string, string> => ({
  ...readingFields(entry),
  source_name: entry.source.name.trim(),
  source_kind: entry.source.kind,
  searched_on: readDate(entry.source.searchedOn) ?? '',
  search_text: entry.source.search,
  join_duplicates: String(choices.join),
  keep_citation_keys: String(choices.keepKeys),
  groups_as_tags: String(choices.groups),
  fetch_pdfs: String(choices.fetch),
  tags: JSON.stringify(choices.tags),
})
