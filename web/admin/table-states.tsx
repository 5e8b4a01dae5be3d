import type { ReactNode } from 'react'
import { cells } from '#web/ui/data-table.tsx'
import { Skeleton } from '#web/ui/marks.tsx'

/** Placeholder rows of a loading table. */
export function LoadingRows({ columns, rows = 8 }: { columns: number; rows?: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column} className={column === 0 ? cells.wide : undefined}>
          <Skeleton width={column === 0 ? `${60 - ((row * 13) % 30)}%` : '4rem'} />
        </td>
      ))}
    </tr>
  ))
}

/** The only row of an empty table. */
export const EmptyRow = ({ columns, children }: { columns: number; children: ReactNode }) => (
  <tr>
    <td colSpan={columns} className={cells.wide}>
      {children}
    </td>
  </tr>
)
