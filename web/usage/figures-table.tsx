import type { ReactNode } from 'react'
import styles from './usage.module.css'

/**
 * A table of numbers of the usage page, with one row for each entry. The first cell of a row is the heading of the row. Renders
 * nothing while `rows` is undefined (loading). If `rows` is empty, shows 'Nothing in this period.'.
 */
export function FiguresTable({
  columns,
  rows,
  foot,
}: {
  columns: readonly string[]
  rows: readonly { key: string; name: ReactNode; cells: readonly ReactNode[] }[] | undefined
  /** The last row, for example with the totals. */
  foot?: ReactNode
}) {
  if (!rows) return null
  if (rows.length === 0) return <p className="text-muted-foreground">Nothing in this period.</p>
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells }) => (
          <tr key={key}>
            <th scope="row" className="min-w-28">
              {name}
            </th>
            {cells.map((cell, at) => (
              <td key={columns[at + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
      {foot ? <tfoot>{foot}</tfoot> : null}
    </table>
  )
}
