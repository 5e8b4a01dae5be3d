import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './menu.module.css'

/** The props of a popover. `trigger` is the button that opens the popover, and `label` the accessible name of the popover. */
export interface PopoverProps {
  trigger: ReactNode
  label: string
  align?: 'start' | 'end'
  /** True: a wider popover, for a form instead of a list of options. */
  wide?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/** A popover with its trigger. It opens when it is first rendered, unless the caller controls it with `open`. */
export function OpenPopover({
  trigger,
  label,
  align = 'start',
  wide = false,
  open,
  onOpenChange,
  children,
}: PopoverProps) {
  return (
    <Radix.Root defaultOpen {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={cn(styles.popover, wide && styles.popoverWide)}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
