import { Link } from '@tanstack/react-router'
import type { ListedJournal } from '#shared/contract/journals.ts'
import { pages } from '#shared/contract/paths.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cn } from '#web/ui/class-names.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { Badge } from '#web/ui/marks.tsx'
import { whole } from './figures.ts'
import styles from './journals.module.css'

/** The table with one page of the journal catalog. A checkbox in each row selects the journal. */
export function JournalsTable({
  rows,
  searched,
  chosen,
  onChoose,
}: {
  rows: readonly ListedJournal[] | undefined
  searched: boolean
  chosen: ReadonlyMap<string, ListedJournal>
  onChoose: (rows: readonly ListedJournal[], selected: boolean) => void
}) {
  const here = rows?.filter(({ id }) => chosen.has(id)).length ?? 0
  return (
    <DataTable className={styles.journals} aria-busy={rows === undefined}>
      <thead>
        <tr>
          <th className={styles.selectCell}>
            <Checkbox
              label="Select all"
              disabled={!rows?.length}
              checked={here === 0 ? false : here === rows?.length ? true : 'some'}
              onChange={(selected) => rows && onChoose(rows, selected)}
            />
          </th>
          <th>Name</th>
          <th>Publisher</th>
          <th>ISSN-L</th>
          <th className={cn(styles.endCell, cells.end)}>Works</th>
          <th className={cn(styles.endCell, cells.end)}>Citations</th>
          <th className={cn(styles.endCell, cells.end)}>h-index</th>
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? <LoadingRows columns={7} /> : null}
        {rows?.length === 0 ? (
          <EmptyRow columns={7}>
            {searched ? (
              'No journals found.'
            ) : (
              <>
                No journals yet. Add one, or import all of them from OpenAlex under{' '}
                <Link className="text-link" to={pages.adminIntegrations()}>
                  Integrations
                </Link>
                .
              </>
            )}
          </EmptyRow>
        ) : null}
        {rows?.map((row) => (
          <tr key={row.id} data-selected={chosen.has(row.id) || undefined}>
            <td className={styles.selectCell}>
              <Checkbox
                label={`Select ${row.name}`}
                checked={chosen.has(row.id)}
                onChange={(selected) => onChoose([row], selected)}
              />
            </td>
            <td className={cn(styles.nameCell, cells.name)}>
              <Link to={pages.adminJournal(row.id)}>{row.name}</Link>
              {row.personal ? <Badge>Personal</Badge> : row.user_added ? <Badge>User-added</Badge> : null}
              {row.is_open_access ? <Badge tone="quiet">Open access</Badge> : null}
            </td>
            <td
              className={
                row.publisher
                  ? cn(styles.publisherCell, cells.publisher)
                  : cn(styles.publisherCell, cells.publisher, 'max-md:hidden')
              }
            >
              {row.publisher ?? '—'}
            </td>
            <td
              className={
                row.issn_l ? 'tabular-nums lining-nums whitespace-nowrap' : 'tabular-nums lining-nums max-md:hidden'
              }
              data-label="ISSN-L"
            >
              {row.issn_l ?? '—'}
            </td>
            <td className={cn(styles.endCell, cells.end, 'tabular-nums lining-nums max-md:hidden')}>
              {whole(row.works_count)}
            </td>
            <td className={cn(styles.endCell, cells.end, 'tabular-nums lining-nums max-md:hidden')}>
              {whole(row.citations_count)}
            </td>
            <td className={cn(styles.endCell, cells.end, 'tabular-nums lining-nums max-md:hidden')}>
              {whole(row.h_index)}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}
