import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './action-bar.module.css'

/**
 * The bar at the bottom of a list, with the actions for the selected rows. The caller must give it an accessible name
 * (`aria-label`).
 */
export const ActionBar = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div role="region" {...rest} className={cn(styles.actionBar, className)} />
)

/** A line between the parts of an `ActionBar`. */
export const BarSeparator = ({ className, ...rest }: ComponentProps<'i'>) => (
  <i {...rest} className={cn(styles.separator, className)} />
)

/**
 * A class for a button in an `ActionBar`. Below 768 px, this button and the following buttons are aligned to the end of the
 * bar.
 */
export const pushedClass = styles.pushed
