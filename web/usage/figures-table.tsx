import type { ReactNode } from 'react'
import styles from './usage.module.css'

/**
 * A table of figures: one row for each entry, with a heading in its first cell. `rows` undefined: loading, which shows
 * nothing. Without rows it reports that there is nothing in the period.
 */
export function FiguresTable({
  columns,
  rows,
  foot,
}: {
  columns: readonly string[]
  rows: readonly { key: string; name: ReactNode; cells: readonly ReactNode[] }[] | undefined
  /** The last row. */
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
