import { Slot } from 'radix-ui'
import { useEffect } from 'react'
import { useFirstUse } from './first-use.ts'
import type { OpenPopover, PopoverProps } from './open-popover.tsx'

const loadPopover = () => import('./open-popover.tsx').then((file) => file.OpenPopover)

/**
 * A popover that a button opens, for example to select several options. Its code is loaded when the pointer or the focus
 * reaches the button.
 */
export function Popover(props: PopoverProps) {
  const { trigger, open = false, onOpenChange } = props
  const { used, prepare, show } = useFirstUse<typeof OpenPopover, true>(loadPopover)
  useEffect(() => {
    if (open) show(true)
  }, [open, show])
  if (used) return <used.part {...props} />
  return (
    <Slot.Root
      aria-haspopup="dialog"
      aria-expanded={false}
      data-state="closed"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => {
        show(true)
        onOpenChange?.(true)
      }}
    >
      {trigger}
    </Slot.Root>
  )
}
