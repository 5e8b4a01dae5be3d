import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './menu.module.css'

/** A popover behind a button, for selecting several options. */
export function Popover({
  trigger,
  label,
  align = 'start',
  wide = false,
  open,
  onOpenChange,
  children,
}: {
  trigger: ReactNode
  label: string
  align?: 'start' | 'end'
  /** For a form instead of a list of options. */
  wide?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
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
