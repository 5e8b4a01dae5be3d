import { pageWindow } from '#shared/contract/feeds.ts'
import styles from './navigation.module.css'
import { grouped } from '#shared/text/numbers.ts'

/**
 * Links to the first, the last and the neighboring pages of a list, with ellipses between them. `steps` adds Previous and Next.
 * Renders nothing if there is only one page.
 */
export function PageNumbers({
  page,
  pageCount,
  onPage,
  steps = false,
}: {
  page: number
  pageCount: number
  onPage: (page: number) => void
  steps?: boolean
}) {
  if (pageCount <= 1) return null
  return (
    <nav className={styles.pageNumbers} aria-label="Pages">
      {steps ? (
        <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </button>
      ) : null}
      {pageWindow(page, pageCount).map((one, index) =>
        one === null ? (
          <span key={`gap-${index < 3 ? 'before' : 'after'}`} aria-hidden>
            …
          </span>
        ) : (
          <button
            key={one}
            type="button"
            aria-label={`Page ${one}`}
            aria-current={one === page ? 'page' : undefined}
            onClick={() => onPage(one)}
          >
            {grouped(one)}
          </button>
        ),
      )}
      {steps ? (
        <button type="button" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
          Next
        </button>
      ) : null}
    </nav>
  )
}
