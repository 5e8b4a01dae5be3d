import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'
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
        <Radix.Content className="menu" align={align} side={side} sideOffset={6} collisionPadding={8}>
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
  return <Radix.Item {...rest} className={cn('menu-item', danger && 'danger', className)} />
}

export const MenuHead = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="menu-head">{children}</Radix.Label>
)
export const MenuSeparator = () => <Radix.Separator className="menu-sep" />
