import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './action-bar.module.css'

/** The bar at the bottom of a list with the actions for its selected rows. Needs an accessible name. */
export const ActionBar = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div role="region" {...rest} className={cn(styles.actionBar, className)} />
)

/** A line between the parts of an `ActionBar`. */
export const BarSeparator = ({ className, ...rest }: ComponentProps<'i'>) => (
  <i {...rest} className={cn(styles.separator, className)} />
)

/** The class of a button. Below 768 px, this button and the following ones are aligned to the end. */
export const pushedClass = styles.pushed
