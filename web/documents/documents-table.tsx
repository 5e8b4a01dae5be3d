import { Link } from '@tanstack/react-router'
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { documentTitle, statusLabel } from '#shared/contract/documents.ts'
import type { DocumentRow, SnippetPart } from '#shared/contract/documents.ts'
import { doiText } from '#shared/contract/doi.ts'
import { shortDate } from '#web/lib/dates.ts'
import { useDocumentJobs } from '#web/lib/jobs.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/marks.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { Status } from '#web/ui/status.tsx'
import { Unbroken } from '#web/ui/unbroken.tsx'
import styles from './documents.module.css'
import { RowMenu } from './row-menu.tsx'
import type { RowActions } from './row-menu.tsx'
import { RowStep, visibleReason } from './row-step.tsx'
import { Snippet } from './snippet.tsx'

const SHORTENED_AT = 10
const shortened = (text: string | null) =>
  !text ? '—' : text.length > SHORTENED_AT ? `${text.slice(0, SHORTENED_AT)}…` : text

/** A document of the table. `snippet` is the text that matches the search, if there is a search. */
type TableRow = DocumentRow & { snippet?: readonly SnippetPart[] | null; removed_in_zotero?: boolean }
const features = tableFeatures({})
const column = createColumnHelper<typeof features, TableRow>()
/** The columns of the table. The id of a column is the sort key in requests to the server. */
const columns = column.columns([
  column.accessor('title', { id: 'title', header: 'Title' }),
  column.accessor((row) => row.authors.join(', '), {
    id: 'authors',
    header: 'Authors',
    cell: ({ row }) => <AuthorsAndYear {...row.original} />,
  }),
  column.accessor((row) => row.journal_name ?? '—', { id: 'journal_name', header: 'Journal' }),
  column.accessor((row) => shortened(row.doi_link && doiText(row.doi_link)), { id: 'doi_link', header: 'DOI' }),
  column.accessor((row) => shortened(row.semantic_paperid), { id: 'semantic_paperid', header: 'Semantic ID' }),
  column.accessor('status', {
    id: 'status',
    header: 'Status',
    cell: ({ row }) => (
      <Status
        word={statusLabel(row.original.status)}
        title={visibleReason(row.original) === null ? (row.original.status_message ?? undefined) : undefined}
      />
    ),
  }),
  column.accessor((row) => shortDate(row.created_at), { id: 'created_at', header: 'Created' }),
])
const CELL_CLASS: Record<string, string | undefined> = {
  title: styles.titleCell,
  authors: styles.authorsCell,
  journal_name: styles.journalCell,
  doi_link: cn(styles.doiCell, 'tabular-nums lining-nums'),
  semantic_paperid: cn(styles.semanticIdCell, 'tabular-nums lining-nums'),
  status: styles.statusCell,
  created_at: cn(styles.createdCell, 'tabular-nums lining-nums'),
}
/** For each column: returns true if the document has no value there. A table shows a dash for such a cell; a card omits it. */
const isEmptyCell: Record<string, (document: DocumentRow) => boolean> = {
  authors: ({ authors, ref_year }) => authors.length === 0 && ref_year === null,
  journal_name: ({ journal_name }) => !journal_name,
}
const NO_ROWS: TableRow[] = []

export interface DocumentsTableProps {
  /** The project of the documents. */
  projectId: string
  rows: readonly TableRow[] | undefined
  /** Column and direction, for example 'created_at.desc'. */
  sort: string
  onSort: (sort: string) => void
  linkTo: (row: DocumentRow) => string
  /** Adds a column of checkboxes. */
  selection?: { ids: ReadonlySet<string>; onChange: (rows: DocumentRow[], selected: boolean) => void } | undefined
  /** Adds a menu to each row. */
  actions?: RowActions
  /**
   * Shows the last page. Set if other pages of the list have rows; an empty page then shows 'No results.' and a link that calls
   * it.
   */
  onLastPage?: (() => void) | undefined
}

/** The table of documents. Below 768 px, each row is a card. */
export function DocumentsTable({
  projectId,
  rows,
  sort,
  onSort,
  linkTo,
  selection,
  actions,
  onLastPage,
}: DocumentsTableProps) {
  const jobs = useDocumentJobs(projectId)
  const table = useTable({
    features,
    columns,
    data: rows ? (rows as TableRow[]) : NO_ROWS,
    getRowId: (row) => row.id,
  })
  const [sortedBy, direction] = sort.split('.')
  const chosen = rows?.filter((row) => selection?.ids.has(row.id)).length ?? 0
  return (
    <div className="@container">
      <table
        className={rows?.length === 0 && !onLastPage ? cn(styles.table, styles.emptyTable) : styles.table}
        aria-busy={rows === undefined}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selection ? (
                <th className={styles.selectCell}>
                  <Checkbox
                    label="Select all"
                    disabled={!rows?.length}
                    checked={chosen === 0 ? false : chosen === rows?.length ? true : 'some'}
                    onChange={(selected) => rows && selection.onChange([...rows], selected)}
                  />
                </th>
              ) : null}
              {group.headers.map((header) => {
                const active = header.id === sortedBy
                const Arrow = direction === 'asc' ? ArrowUp : ArrowDown
                return (
                  <th
                    key={header.id}
                    className={CELL_CLASS[header.id]}
                    aria-sort={active ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
                  >
                    <button
                      type="button"
                      onClick={() =>
                        onSort(
                          `${header.id}.${active && direction === 'asc' ? 'desc' : active ? 'asc' : firstDirection(header.id)}`,
                        )
                      }
                    >
                      <table.FlexRender header={header} />
                      {active ? <Arrow aria-hidden /> : null}
                    </button>
                  </th>
                )
              })}
              {actions ? (
                <th className={styles.menuCell}>
                  <span className="sr-only">Actions</span>
                </th>
              ) : null}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows?.length === 0 && onLastPage ? (
            <tr className={styles.noResults}>
              <td colSpan={columns.length + (selection ? 1 : 0) + (actions ? 1 : 0)}>
                <p>No results.</p>
                <Button size="sm" onClick={onLastPage}>
                  Go to the last page
                </Button>
              </td>
            </tr>
          ) : null}
          {rows === undefined ? (
            <LoadingRows columns={columns.length + (selection ? 1 : 0) + (actions ? 1 : 0)} />
          ) : null}
          {table.getRowModel().rows.map((row) => {
            const document = row.original
            const selected = selection?.ids.has(document.id) ?? false
            return (
              <tr key={document.id} data-selected={selected || undefined}>
                {selection ? (
                  <td className={styles.selectCell}>
                    <Checkbox
                      label={`Select ${documentTitle(document)}`}
                      checked={selected}
                      onChange={(next) => selection.onChange([document], next)}
                    />
                  </td>
                ) : null}
                {row.getAllCells().map((cell) => (
                  <td
                    key={cell.id}
                    className={CELL_CLASS[cell.column.id]}
                    data-empty={isEmptyCell[cell.column.id]?.(document) || undefined}
                  >
                    {cell.column.id === 'title' ? (
                      <>
                        <Link to={linkTo(document)} className={document.title?.trim() ? undefined : styles.fileName}>
                          <Unbroken text={documentTitle(document)} />
                        </Link>
                        <PaperMarks
                          retracted={document.retracted}
                          withoutFile={document.source_url === null}
                          removedInZotero={document.removed_in_zotero ?? false}
                        />
                        <RowStep document={document} job={jobs.get(document.id)} />
                        {document.snippet ? <Snippet parts={document.snippet} /> : null}
                      </>
                    ) : (
                      <table.FlexRender cell={cell} />
                    )}
                  </td>
                ))}
                {actions ? (
                  <td className={styles.menuCell}>
                    <RowMenu document={document} actions={actions} />
                  </td>
                ) : null}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The short form of the authors, with all names as a tooltip, and the year. */
function AuthorsAndYear({ authors, authors_short: short, ref_year: year }: DocumentRow) {
  if (authors.length === 0 && year === null) return '—'
  return (
    <>
      {authors.length === 0 ? null : <span title={authors.join(', ')}>{short}</span>}
      {year === null ? null : <span className={styles.year}>{year}</span>}
    </>
  )
}

const firstDirection = (id: string) => (id === 'created_at' ? 'desc' : 'asc')

const WIDTHS = ['62%', '78%', '54%', '70%', '46%', '82%', '58%', '66%', '50%', '74%']
function LoadingRows({ columns: count }: { columns: number }) {
  return WIDTHS.map((width) => (
    <tr key={width} className={styles.loadingRow}>
      {Array.from({ length: count }, (_, index) => (
        <td key={index}>
          <Skeleton width={index === 0 ? '1rem' : index === 1 ? width : '70%'} />
        </td>
      ))}
    </tr>
  ))
}
