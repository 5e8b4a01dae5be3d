import { FileText, X } from 'lucide-react'
import { type ImportPreview, SOURCE_KINDS, SOURCE_SUGGESTIONS, type SourceKind } from '#shared/contract/imports.ts'
import { READ_FORMATS, type ReadFormat } from '#shared/contract/reference-formats.ts'
import { DateField } from '#web/lib/date-field.tsx'
import { counted } from '#web/lib/dates.ts'
import { fileSize } from '#web/lib/file-size.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field, FieldError, Textarea } from '#web/ui/field.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { CsvColumnsStep } from './csv-columns-step.tsx'
import styles from './imports.module.css'
import { authorsAndYear, FORMAT_LABELS } from './labels.ts'
import { hasInvalidDate, type ImportFile, type Source, type useImportFiles } from './use-import-files.ts'

const FORMATS = READ_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))
const KINDS = Object.entries(SOURCE_KINDS).map(([value, label]) => ({ value, label }))

/** A file of the import dialog: its format, its first records and its source. */
export function FileSection({ entry, queue }: { entry: ImportFile; queue: ReturnType<typeof useImportFiles> }) {
  const { file, preview, error } = entry
  const format = entry.format ?? preview?.format
  return (
    <section className="mt-4 border-t-[1.5px] border-rule" aria-label={file.name}>
      <div className={styles.fileHead}>
        <FileText aria-hidden />
        <b>{file.name}</b>
        <span className="text-meta whitespace-nowrap text-muted-foreground">{fileSize(file.size)}</span>
        <div className={styles.fileEnd}>
          {preview && !error ? (
            <span className="font-[560] whitespace-nowrap lining-nums tabular-nums" role="status">
              {counted(preview.count, 'record')}
            </span>
          ) : null}
          {preview || error ? (
            <Select
              compact
              aria-label={`Format of ${file.name}`}
              value={format}
              placeholder="Format"
              onChange={(value) => queue.setFormat(entry, value as ReadFormat)}
              options={FORMATS}
            />
          ) : null}
          <IconButton label={`Remove ${file.name}`} disabled={queue.sending} onClick={() => queue.remove(entry.key)}>
            <X aria-hidden />
          </IconButton>
        </div>
      </div>
      {error ? <FieldError role="alert">{error}</FieldError> : preview ? null : <Waiting>Reading the file</Waiting>}
      {preview && !error ? (
        <>
          {preview.columns ? (
            <CsvColumnsStep
              // The preview of chosen columns arrives later than the choice.
              table={{ ...preview.columns, matched: entry.columns ?? preview.columns.matched }}
              onChange={(columns) => queue.setColumns(entry, columns)}
            />
          ) : null}
          <div className="grid grid-cols-2 gap-8 max-md:grid-cols-1 max-md:gap-3">
            <FirstRecords preview={preview} />
            <SourceFields source={entry.source} onChange={(source) => queue.setSource(entry.key, source)} />
          </div>
        </>
      ) : null}
    </section>
  )
}

const FirstRecords = ({ preview }: { preview: ImportPreview }) => (
  <ol className={styles.firstRecords} aria-label="First records">
    {preview.records.map((record) => (
      <li key={record.position}>
        <b>{record.title ?? 'No title'}</b>
        <span>{record.reason ?? authorsAndYear(record)}</span>
      </li>
    ))}
  </ol>
)

function SourceFields({ source, onChange }: { source: Source; onChange: (source: Source) => void }) {
  return (
    <div className={styles.source}>
      <Field label="Source">
        {(ids) => (
          <Combobox
            ids={ids}
            value={source.name}
            onChange={(name) => onChange({ ...source, name })}
            options={SOURCE_SUGGESTIONS}
            newHint={undefined}
          />
        )}
      </Field>
      <Field label="Kind of source">
        {(ids) => (
          <Select
            {...ids}
            value={source.kind}
            onChange={(kind) => onChange({ ...source, kind: kind as SourceKind })}
            options={KINDS}
          />
        )}
      </Field>
      <Field
        label="Date of the search"
        error={hasInvalidDate(source) ? 'Enter a date such as March 04, 2025.' : undefined}
      >
        {(ids) => (
          <DateField
            ids={ids}
            value={source.searchedOn}
            onChange={(searchedOn) => onChange({ ...source, searchedOn })}
          />
        )}
      </Field>
      <Field label="Search" className="col-span-full">
        {(ids) => (
          <Textarea
            {...ids}
            value={source.search}
            onChange={(event) => onChange({ ...source, search: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}
