import { pageWindow } from '#shared/feeds.ts'

/** Numbered paging with an ellipsis where pages are left out. Nothing is drawn for one page. */
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
    <nav className="feed-paging" aria-label="Pages">
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
            {one}
          </button>
        ),
      )}
    </nav>
  )
}
