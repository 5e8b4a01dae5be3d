import { Link } from '@tanstack/react-router'
import type { z } from 'zod'
import { type ImportRow, type importTotals, SOURCE_KINDS } from '#shared/contract/imports.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { shortDate, shortDateAndTime } from '#web/lib/dates.ts'
import { useActiveImports } from '#web/lib/jobs.ts'
import { grouped } from '#shared/text/numbers.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { Progress, Skeleton } from '#web/ui/marks.tsx'
import styles from './imports.module.css'
import { importName } from './labels.ts'
import { OutcomeMark } from './outcome.tsx'

const COUNTS = [
  ['Read', 'read_count'],
  ['New', 'created_count'],
  ['Joined', 'joined_count'],
  ['Failed', 'failed_count'],
] as const

/** The imports with their counts. Below 768 px, each row is a card. */
export function ImportsTable({
  project,
  list,
}: {
  project: Project
  list: { data: ImportRow[]; totals: z.infer<typeof importTotals> } | undefined
}) {
  return (
    <DataTable className={styles.imports} aria-busy={list === undefined}>
      <thead>
        <tr>
          <th>Source</th>
          <th>Kind</th>
          <th>File</th>
          <th>Who</th>
          <th aria-sort="descending">When</th>
          {COUNTS.map(([label]) => (
            <th key={label} className={cells.amount}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {list ? null : (
          <tr>
            <td className={cells.wide} colSpan={9}>
              <Skeleton width="14rem" />
            </td>
          </tr>
        )}
        {list?.data.map((row) => (
          <tr key={row.id} aria-label={importName(row)}>
            <td className={cells.wide}>
              <Link
                to={pages.import(project.address, row.id)}
                className="text-sm font-[530] wrap-anywhere text-foreground hover:underline"
              >
                {importName(row)}
              </Link>
              <Remark row={row} />
            </td>
            <td>{row.source_kind ? SOURCE_KINDS[row.source_kind] : '—'}</td>
            <td className={cells.name}>{row.filename ?? '—'}</td>
            <td data-label="By">{row.created_by_name ?? '—'}</td>
            <td className={styles.when}>{shortDateAndTime(row.created_at)}</td>
            {row.state === 'waiting' || row.state === 'running' ? (
              <td colSpan={4}>
                <Running row={row} />
              </td>
            ) : (
              COUNTS.map(([label, name]) => (
                <td key={name} className={cells.amount} data-label={label} data-zero={row[name] === 0 || undefined}>
                  {name === 'failed_count' && row[name] > 0 ? (
                    <OutcomeMark outcome="failed" label={grouped(row[name])} />
                  ) : (
                    grouped(row[name])
                  )}
                </td>
              ))
            )}
          </tr>
        ))}
      </tbody>
      {list ? (
        <tfoot>
          <tr>
            <td colSpan={5} className={cells.wide}>
              Records in all, without undone imports
            </td>
            {COUNTS.map(([label, name]) => (
              <td key={name} className={cells.amount} data-label={label}>
                {grouped(list.totals[name])}
              </td>
            ))}
          </tr>
        </tfoot>
      ) : null}
    </DataTable>
  )
}

function Remark({ row }: { row: ImportRow }) {
  const text = row.undone_at
    ? `Undone on ${shortDate(row.undone_at)}. The records are stored.`
    : row.state === 'failed'
      ? (row.error ?? 'Failed')
      : row.state === 'cancelled'
        ? 'Cancelled'
        : row.searched_on
          ? `Search of ${shortDate(`${row.searched_on}T12:00`)}`
          : null
  return text ? <p className="wrap-anywhere text-muted-foreground">{text}</p> : null
}

/** The progress of a running import, as reported by its job. */
function Running({ row }: { row: ImportRow }) {
  const job = useActiveImports(row.project_id).data?.find(({ id }) => id === row.job_id)
  const total = row.total_count ?? 0
  const text =
    row.state === 'running' && job?.progress_text
      ? job.progress_text
      : row.state === 'running'
        ? `Importing ${grouped(row.read_count)} of ${grouped(total)}`
        : 'Waiting'
  return (
    <div className={styles.running}>
      <Progress value={row.state === 'running' ? (job?.progress ?? 0) : 0} label={text} />
      <span>{text}</span>
    </div>
  )
}
