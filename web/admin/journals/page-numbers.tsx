import { pageWindow } from '#shared/feeds.ts'

/** First, last and the neighbours, with an ellipsis where pages are left out. Nothing is drawn for one page. */
export function PageNumbers({
  page,
  pageCount,
  onPage,
}: {
  page: number
  pageCount: number
  onPage: (page: number) => void
}) {
  if (pageCount <= 1) return null
  return (
    <nav className="journal-pages" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
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
            {one.toLocaleString('en-GB')}
          </button>
        ),
      )}
      <button type="button" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
