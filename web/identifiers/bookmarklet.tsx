import { BookmarkPlus } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { SectionRow } from '#web/ui/page.tsx'
import styles from './identifiers.module.css'

/** A link for the bookmarks bar of the browser. On any web page, it opens /add with the URL of that page. */
export function Bookmarklet() {
  const { product_name } = useSite()
  const target = JSON.stringify(`${location.origin}${pages.add()}?url=`)
  // React refuses a `javascript:` address in `href`, so `ref` sets it below. A click on this page does not run it.
  const address = `javascript:void open(${target}+encodeURIComponent(location.href))`
  return (
    <SectionRow>
      <h2>Add from the browser</h2>
      <div className="grid max-w-md gap-3 leading-7">
        <p className="text-muted-foreground">
          Drag this link to the bookmarks bar. On the page of a paper, it opens {product_name} and offers to add the
          paper to a project.
        </p>
        <div>
          <a
            href={pages.add()}
            ref={(link) => link?.setAttribute('href', address)}
            className={styles.bookmarklet}
            onClick={(event) => {
              event.preventDefault()
              toast({ title: 'Drag this link to the bookmarks bar' })
            }}
          >
            <BookmarkPlus aria-hidden />
            Add to {product_name}
          </a>
        </div>
        <p className="text-muted-foreground">
          On a phone, install {product_name} from the menu of the browser. The share menu then offers it.
        </p>
      </div>
    </SectionRow>
  )
}
