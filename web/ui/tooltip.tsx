import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './menu.module.css'
import { useLandmark } from './use-landmark.tsx'

/** A tooltip on hover and focus. The child must be focusable. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const { container, marker } = useLandmark()
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        {marker}
        <Radix.Portal container={container}>
          <Radix.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
