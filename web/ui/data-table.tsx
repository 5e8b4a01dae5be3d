import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './table.module.css'

/** A table of an admin page. Below 768 px, each row is a card. Its cells use the classes of table.module.css. */
export const DataTable = ({ className, ...rest }: ComponentProps<'table'>) => (
  <table {...rest} className={cn(styles.table, className)} />
)

/** The head of a column of buttons and menus. */
export const ActionsHead = () => (
  <th scope="col">
    <span className="sr-only">Actions</span>
  </th>
)

/** Search and filters above a table. */
export const FilterBar = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.filterBar, className)} />
)

/**
 * Classes of cells. `wide` takes a row of its own in a card, `text` and `name` break long words, `amount` and `end` are
 * aligned at the end.
 */
export const cells = {
  wide: styles.wideCell,
  text: styles.textCell,
  name: styles.nameCell,
  publisher: styles.publisherCell,
  amount: styles.amountCell,
  end: styles.endCell,
}
