import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { IconButton } from './button.tsx'
import styles from './navigation.module.css'
import { Select } from './select.tsx'

/**
 * The pager of a list, with buttons for the first, previous, next and last page. `limits` adds a select for the number of rows
 * per page. Renders nothing if there is only one page.
 */
export function Pager({
  page,
  pageCount,
  limit,
  limits,
  count,
  onPage,
  onLimit,
}: {
  page: number
  pageCount: number
  limit: number
  /** Total number of rows on all pages. */
  count: number
  onPage: (page: number) => void
} & ({ limits: readonly number[]; onLimit: (limit: number) => void } | { limits?: undefined; onLimit?: undefined })) {
  if (pageCount <= 1) return null
  const first = (page - 1) * limit + 1
  const last = Math.min(page * limit, count)
  return (
    <nav className={styles.pager} aria-label="Pages" data-slot="pager">
      <span className="tabular-nums lining-nums">
        {first <= last ? `${first}–${last} of ${count}` : `${count} in all`}
      </span>
      <div className={styles.actions}>
        {limits ? (
          <span className="flex items-center gap-2">
            Rows per page
            <Select
              compact
              aria-label="Rows per page"
              value={String(limit)}
              onChange={(value) => onLimit(Number(value))}
              options={limits.map((one) => ({ value: String(one), label: String(one) }))}
            />
          </span>
        ) : null}
        <span className="tabular-nums lining-nums">{`Page ${page} of ${pageCount}`}</span>
        <span className="flex">
          <IconButton label="First page" disabled={page <= 1} onClick={() => onPage(1)}>
            <ChevronsLeft aria-hidden />
          </IconButton>
          <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, pageCount))}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label="Next page" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
            <ChevronRight aria-hidden />
          </IconButton>
          <IconButton label="Last page" disabled={page >= pageCount} onClick={() => onPage(pageCount)}>
            <ChevronsRight aria-hidden />
          </IconButton>
        </span>
      </div>
    </nav>
  )
}
