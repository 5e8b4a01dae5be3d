import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** A link to the cited passage on a page (`p. 4`). `current` marks the shown page. */
export function PageLink({
  page,
  current = false,
  className,
  ...rest
}: ComponentProps<'button'> & { page: number; current?: boolean }) {
  return (
    <button type="button" {...rest} className={cn('pl', className)} aria-current={current ? 'true' : undefined}>
      p. {page}
    </button>
  )
}
