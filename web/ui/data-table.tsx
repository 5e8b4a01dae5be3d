import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './table.module.css'

/** A table of an administration page. Below 768 px, each row is shown as a card. Use the classes in `cells` for its cells. */
export const DataTable = ({ className, ...rest }: ComponentProps<'table'>) => (
  <table {...rest} className={cn(styles.table, className)} />
)

/** The heading of a column with buttons and menus. It is visible to screen readers only. */
export const ActionsHead = () => (
  <th scope="col">
    <span className="sr-only">Actions</span>
  </th>
)

/** The row above a table that contains the search field and the filters of the table. */
export const FilterBar = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.filterBar, className)} />
)

/**
 * Classes for table cells. In a card, `wide` has a row of its own. `text` and `name` break long words. `amount` and `end` are
 * aligned to the end.
 */
export const cells = {
  wide: styles.wideCell,
  text: styles.textCell,
  name: styles.nameCell,
  publisher: styles.publisherCell,
  amount: styles.amountCell,
  end: styles.endCell,
}
