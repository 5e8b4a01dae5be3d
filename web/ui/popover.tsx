import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './menu.module.css'

/** A popover behind a button, for selecting several options. */
export function Popover({
  trigger,
  label,
  align = 'start',
  open,
  onOpenChange,
  children,
}: {
  trigger: ReactNode
  label: string
  align?: 'start' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.popover} align={align} sideOffset={6} collisionPadding={8} aria-label={label}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
