import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Notice, Page } from '#web/ui/page.tsx'

/** The 404 page for unknown URLs. */
export function NotFound() {
  useTitle('Page not found')
  return (
    <Page>
      <Notice>
        <p className="tabular-nums lining-nums">404</p>
        <h1>Oops! Page not found</h1>
        <p>The address may be mistyped, or the page may have moved.</p>
        <Link className="text-link" to={pages.home()}>
          Return to Home
        </Link>
      </Notice>
    </Page>
  )
}
