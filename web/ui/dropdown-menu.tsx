import { type DropdownMenu, Slot } from 'radix-ui'
import type { ComponentProps, ReactNode, SyntheticEvent } from 'react'
import { cn } from './class-names.ts'
import { useFirstUse } from './first-use.ts'
import { useMenuParts } from './menu-parts.ts'
import styles from './menu.module.css'
import type { FirstUse, OpenMenu } from './open-menu.tsx'

/** Loads the code of an open menu. It is loaded late, because most visits open no menu although every row of a list has one. */
const loadMenu = () => import('./open-menu.tsx').then((file) => file.OpenMenu)

/**
 * A dropdown menu. `trigger` is the button that opens it. The code of the menu is loaded when the pointer or the focus reaches
 * the button.
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

/** A heading between menu items. It cannot be selected. */
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

/** A row with an option in a popover, styled like a menu item. `count` is the number of entries that have the option. */
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

/** Classes that give a list of another library the look of a menu. */
export const menuClasses = { item: styles.menuItem, note: styles.menuNote }
