import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './marks.module.css'

/** Returns the label of a cited place: 'p. 4', or 'Abstract' for a place without a page. */
export const placeLabel = (page: number | null): string => (page === null ? 'Abstract' : `p. ${page}`)

/**
 * A button that shows a cited passage, labeled with its page ('p. 4') or 'Abstract'. `current` marks the passage that is shown.
 */
export function PageLink({
  page,
  current = false,
  className,
  ...rest
}: ComponentProps<'button'> & { page: number | null; current?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={cn(styles.pageLink, className)}
      aria-current={current ? 'true' : undefined}
      data-slot="page-link"
    >
      {placeLabel(page)}
    </button>
  )
}

/** A text with the look of a page link that is not a button, for use inside a larger button. */
export const PageLinkLabel = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span {...rest} className={cn(styles.pageLink, className)} data-slot="page-link" />
)

/** A note that is shown in place of a page link, for example 'not found in the text'. */
export const PageLinkMissing = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span {...rest} className={cn(styles.pageLinkMissing, className)} data-slot="page-link-missing" />
)
