import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './marks.module.css'

/**
 * A button with the number that a cited paper has in a conversation. It refers to a paper, while a `PageLink` refers to a
 * place in a paper.
 */
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
