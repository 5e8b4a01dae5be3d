import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './figures.module.css'
import { Skeleton } from './marks.tsx'

/** A row of four key numbers, each a `Figure`. On narrow screens it has two rows of two. */
export const Figures = ({ className, ...rest }: ComponentProps<'dl'>) => (
  <dl {...rest} className={cn(styles.figures, className)} />
)

/** A key number in large type, with its label above and a note below. A placeholder is shown if `value` is undefined. */
export const Figure = ({ label, value, about }: { label: ReactNode; value: ReactNode; about?: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <b>{value ?? <Skeleton width="60%" height="1.75rem" />}</b>
      {about === undefined ? null : <p>{value === undefined ? <Skeleton width="80%" /> : about}</p>}
    </dd>
  </div>
)
