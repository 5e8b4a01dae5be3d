import type { ReactNode } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/marks.tsx'

/** Replaces a list that could not be loaded. */
export function LoadFailed({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  return (
    <div className="notice" role="alert">
      <h2>{title}</h2>
      <p>{messageOf(error)}</p>
      <Button onClick={onRetry}>Retry</Button>
    </div>
  )
}

/** Placeholder rows of a loading table. */
export function LoadingRows({ columns, rows = 8 }: { columns: number; rows?: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column} className={column === 0 ? 'whole' : undefined}>
          <Skeleton width={column === 0 ? `${60 - ((row * 13) % 30)}%` : '4rem'} />
        </td>
      ))}
    </tr>
  ))
}

/** The only row of an empty table. */
export const EmptyRow = ({ columns, children }: { columns: number; children: ReactNode }) => (
  <tr>
    <td colSpan={columns} className="whole">
      {children}
    </td>
  </tr>
)
