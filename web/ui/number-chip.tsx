import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './marks.module.css'

/** A button with the number of a paper in a conversation. It names a paper; a `PageLink` names a place in a paper. */
export const NumberChip = ({
  number,
  current = false,
  className,
  ...rest
}: ComponentProps<'button'> & { number: number; current?: boolean }) => (
  <button
    type="button"
    {...rest}
    className={cn(styles.numberChip, className)}
    aria-label={`Source ${number}`}
    aria-current={current ? 'true' : undefined}
    data-slot="number-chip"
  >
    {number}
  </button>
)
