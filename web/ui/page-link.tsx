import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** `p. 4`: leads to the passage on that page. `current` marks the one now shown. */
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
