import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './menu.module.css'
import { useLandmark } from './use-landmark.tsx'

/** A dropdown menu. `trigger` is its button. */
export function Menu({
  trigger,
  align = 'end',
  side,
  children,
}: {
  trigger: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  children: ReactNode
}) {
  const { container, marker } = useLandmark()
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {marker}
      <Radix.Portal container={container}>
        <Radix.Content className={styles.menu} align={align} side={side} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A menu item. With `asChild`, its child (for example a link) gets the style and the behavior. */
export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return <Radix.Item {...rest} className={cn(styles.menuItem, danger && styles.danger, className)} />
}

/** A heading in a menu, which cannot be chosen. */
export const MenuHead = ({ children }: { children: ReactNode }) => (
  <Radix.Label className={styles.menuHeading}>{children}</Radix.Label>
)
/** A line between the groups of a menu. */
export const MenuSeparator = () => <Radix.Separator className={styles.menuSeparator} />

/** A text between the items of a menu or list. */
export const MenuNote = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.menuNote, className)} />
)

/** The heading of a group of options in a popover. */
export const OptionsLegend = ({ children }: { children: ReactNode }) => (
  <legend className={styles.menuHeading}>{children}</legend>
)

/** An option in a popover, which looks like a menu item. `count` is the number of its entries. */
export const OptionRow = ({
  className,
  count,
  children,
}: {
  className?: string
  count?: number
  children: ReactNode
}) => (
  <div className={cn(styles.menuItem, className)} data-slot="option">
    {children}
    {count === undefined ? null : <span className={styles.count}>{count}</span>}
  </div>
)

/** Classes for lists of another library that look like a menu. */
export const menuClasses = { item: styles.menuItem, note: styles.menuNote }
