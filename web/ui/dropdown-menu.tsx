import { type DropdownMenu, Slot } from 'radix-ui'
import type { ComponentProps, ReactNode, SyntheticEvent } from 'react'
import { cn } from './class-names.ts'
import { useFirstUse } from './first-use.ts'
import { useMenuParts } from './menu-parts.ts'
import styles from './menu.module.css'
import type { FirstUse, OpenMenu } from './open-menu.tsx'

/** Loads the code of open menus. Most visits open none, and a list has a menu in each row. */
const loadMenu = () => import('./open-menu.tsx').then((file) => file.OpenMenu)

/**
 * A dropdown menu. `trigger` is its button. Its code loads when the pointer or the focus reaches the button; until the first
 * use, the button only looks like the trigger of a menu.
 */
export function Menu({
  trigger,
  ...rest
}: {
  trigger: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  children: ReactNode
}) {
  const { used, prepare, show } = useFirstUse<typeof OpenMenu, FirstUse>(loadMenu)
  if (used) return <used.part {...rest} trigger={trigger} first={used.how} />
  const open = (event: SyntheticEvent, first: FirstUse) => {
    event.preventDefault()
    show(first)
  }
  return (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      onPointerEnter={prepare}
      onFocus={prepare}
      onPointerDown={(event) => {
        if (isDisabled(event) || event.button !== 0 || event.ctrlKey) return
        open(event, { type: 'pointerdown', pointerType: event.pointerType })
      }}
      onKeyDown={(event) => {
        if (OPENS.has(event.key) && !isDisabled(event)) open(event, { type: 'keydown', key: event.key })
      }}
    >
      {trigger}
    </Slot.Root>
  )
}

const OPENS = new Set(['Enter', ' ', 'ArrowDown'])
const isDisabled = ({ currentTarget }: SyntheticEvent) => currentTarget.matches(':disabled')

/** A menu item. With `asChild`, its child (for example a link) gets the style and the behavior. */
export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof DropdownMenu.Item> & { danger?: boolean }) {
  const { Item } = useMenuParts()
  return <Item {...rest} className={cn(styles.menuItem, danger && styles.danger, className)} />
}

/** A heading in a menu, which cannot be chosen. */
export function MenuHead({ children }: { children: ReactNode }) {
  const { Label } = useMenuParts()
  return <Label className={styles.menuHeading}>{children}</Label>
}

/** A line between the groups of a menu. */
export function MenuSeparator() {
  const { Separator } = useMenuParts()
  return <Separator className={styles.menuSeparator} />
}

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
