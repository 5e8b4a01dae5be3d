import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import styles from './page.module.css'

/** The main area of a screen, with the width and margins of the content. */
export const Page = ({ className, ...rest }: ComponentProps<'main'>) => (
  <main {...rest} className={cn(styles.page, className)} data-slot="page" />
)

/** The row with the title of a page or section and its actions. */
export const PageHead = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.pageHead, className)} data-slot="page-head" />
)

/** The number of entries of a list, shown after the title in a `PageHead`. */
export const HeadCount = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span {...rest} className={cn(styles.count, className)} />
)

/** The buttons at the end of a `PageHead`. */
export const HeadActions = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.actions, className)} data-slot="head-actions" />
)

/** A message in place of the content of a page: a heading, a paragraph and a button. */
export const Notice = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.notice, className)} />
)

/** A section with its heading in the left column and its content in the right one. */
export const SectionRow = ({ className, ...rest }: ComponentProps<'section'>) => (
  <section {...rest} className={cn(styles.sectionRow, className)} data-slot="section-row" />
)

/** The heading of a section. */
export const SectionTitle = ({ className, children, ...rest }: ComponentProps<'h2'>) => (
  <h2 {...rest} className={cn(styles.sectionTitle, className)} data-slot="section-title">
    {children}
  </h2>
)

/** A paragraph of a paper or its analysis, in the serif font. */
export const Statement = ({ className, ...rest }: ComponentProps<'p'>) => (
  <p {...rest} className={cn(styles.statement, className)} />
)
