import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { ImportRecordRow, ImportRow } from '#shared/contract/imports.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Skeleton, Waiting } from '#web/ui/marks.tsx'
import styles from './imports.module.css'
import { authorsAndYear, importName } from './labels.ts'
import { OutcomeMark } from './outcome.tsx'
import { recordQuery } from './queries.ts'

interface Props {
  project: Project
  row: ImportRow
  records: readonly ImportRecordRow[] | undefined
}

/** The table of the records of an import, which are the references in its source. Below 768 px, each row is a card. */
export function RecordsTable({ project, row, records }: Props) {
  return (
    <DataTable className={styles.records} aria-busy={records === undefined}>
      <thead>
        <tr>
          <th>No.</th>
          <th>Record</th>
          <th>Outcome</th>
          <th>Reason</th>
          <th>Paper</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {records ? null : (
          <tr>
            <td className={cells.wide} colSpan={6}>
              <Skeleton width="20rem" />
            </td>
          </tr>
        )}
        {records?.length === 0 ? (
          <tr>
            <td className={cells.wide} colSpan={6}>
              No record has this outcome.
            </td>
          </tr>
        ) : null}
        {records?.map((record) => (
          <RecordRow key={record.id} project={project} row={row} record={record} />
        ))}
      </tbody>
    </DataTable>
  )
}

function RecordRow({ project, row, record }: Omit<Props, 'records'> & { record: ImportRecordRow }) {
  const [open, setOpen] = useState(false)
  const { document } = record
  return (
    <>
      <tr aria-label={record.title ?? `Record ${record.position}`}>
        <td className="oldstyle-nums">{grouped(record.position)}</td>
        <td className={cells.wide}>
          {record.title ? (
            <span className="line-clamp-2 font-serif text-[0.96875rem] leading-5 font-[560] text-foreground">
              {record.title}
            </span>
          ) : (
            <span className="wrap-anywhere text-muted-foreground">No title</span>
          )}
          <p className="wrap-anywhere text-muted-foreground">{authorsAndYear(record)}</p>
        </td>
        <td>
          <OutcomeMark outcome={record.outcome} />
        </td>
        <td className={cells.text}>{record.reason}</td>
        <td className={cells.name}>
          {document ? (
            <Link to={pages.document(project.address, document.id)} className="text-link">
              {document.citation_key ?? document.title ?? 'Paper'}
            </Link>
          ) : record.outcome === 'failed' || record.outcome === 'skipped' ? (
            '—'
          ) : (
            'Deleted or moved'
          )}
        </td>
        <td className={cells.end}>
          {record.has_raw ? (
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={open}
              className={styles.showRecord}
              onClick={() => setOpen(!open)}
            >
              {open ? 'Hide the record' : 'Show the record as it was'}
            </Button>
          ) : null}
        </td>
      </tr>
      {open ? (
        <tr className={styles.rawRow}>
          <td className={cells.wide} colSpan={6}>
            <RawRecord record={record} from={row.filename ?? importName(row)} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** The original text of a record, with the line numbers of the file. */
function RawRecord({ record, from }: { record: ImportRecordRow; from: string }) {
  const found = useQuery(recordQuery(record.id))
  if (found.isLoadingError) return <FieldError>{messageOf(found.error)}</FieldError>
  if (!found.data) return <Waiting>Loading the record</Waiting>
  const raw = found.data.raw ?? ''
  const badLine = Number(/^Line (\d+):/.exec(record.reason ?? '')?.[1] ?? 0)
  return (
    <div className={styles.raw}>
      <div className="flex min-h-8 items-center justify-between gap-3">
        <span>
          Record {record.position} as it was in {from}
        </span>
        <Button variant="ghost" size="sm" onClick={() => void copyText(raw, 'Record copied')}>
          <Copy aria-hidden />
          Copy
        </Button>
      </div>
      <div className={styles.rawText} tabIndex={0} role="region" aria-label={`Record ${record.position} as it was`}>
        <ol>
          {raw.split(/\r\n|\r|\n/).map((text, index) => {
            const line = record.line === null ? index + 1 : record.line + index
            return (
              <li key={line} data-bad={line === badLine || undefined}>
                <i>{line}</i>
                <span>{text}</span>
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}
