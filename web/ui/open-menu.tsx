import { DropdownMenu as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './menu.module.css'
import { MenuParts } from './menu-parts.ts'
import { useLandmark } from './use-landmark.tsx'

/** The event by which the user opened a menu before its code was loaded. */
export type FirstUse = { type: 'pointerdown'; pointerType: string } | { type: 'keydown'; key: string }

/**
 * A dropdown menu whose code is loaded. It replaces the `Menu` and its trigger. It repeats the event `first` on the new
 * trigger, so that the menu opens.
 */
export function OpenMenu({
  trigger,
  first,
  align = 'end',
  side,
  children,
}: {
  trigger: ReactNode
  first: FirstUse
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  children: ReactNode
}) {
  const { container, marker } = useLandmark()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const options = { ...first, bubbles: true, cancelable: true }
    if (first.type === 'keydown') button.current?.focus()
    button.current?.dispatchEvent(
      first.type === 'keydown' ? new KeyboardEvent(first.type, options) : new PointerEvent(first.type, options),
    )
  }, [first])
  return (
    <MenuParts value={Radix}>
      <Radix.Root modal={false}>
        <Radix.Trigger asChild ref={button}>
          {trigger}
        </Radix.Trigger>
        {marker}
        <Radix.Portal container={container}>
          <Radix.Content className={styles.menu} align={align} side={side} sideOffset={6} collisionPadding={8}>
            {children}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </MenuParts>
  )
}
