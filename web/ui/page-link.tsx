import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './marks.module.css'

/** A link to the cited passage on a page (`p. 4`). `current` marks the shown page. */
export function PageLink({
  page,
  current = false,
  className,
  ...rest
}: ComponentProps<'button'> & { page: number; current?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={cn(styles.pageLink, className)}
      aria-current={current ? 'true' : undefined}
      data-slot="page-link"
    >
      p. {page}
    </button>
  )
}

/** The look of a page link, for a part of a larger button. */
export const PageLinkLabel = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span {...rest} className={cn(styles.pageLink, className)} data-slot="page-link" />
)

/** A note in the place of a page link. */
export const PageLinkMissing = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span {...rest} className={cn(styles.pageLinkMissing, className)} data-slot="page-link-missing" />
)
