import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './class-names.ts'
import { useFocusReturn } from './focus-return.ts'

/** A modal dialog. Escape closes it, and the focus returns to the opener. */
export function Dialog({
  open,
  onOpenChange,
  title,
  about,
  wide = false,
  locked = false,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** A description below the title. */
  about?: ReactNode
  wide?: boolean
  /** Prevents closing while work runs that closing would lose. */
  locked?: boolean
  children: ReactNode
}) {
  const focusReturn = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !locked) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={cn('dialog dialog-frame', wide && 'dialog-wide')}
          {...focusReturn}
          {...(about ? {} : { 'aria-describedby': undefined })}
          onInteractOutside={keepOpenForToasts}
        >
          <Radix.Title>{title}</Radix.Title>
          {about ? <Radix.Description className="about">{about}</Radix.Description> : null}
          <div className="dialog-scroll">{children}</div>
          {locked ? null : (
            <Radix.Close asChild>
              <IconButton label="Close" className="close">
                <X className="ic" aria-hidden />
              </IconButton>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The buttons at the bottom of a dialog. The primary button is the last one. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="acts dialog-acts">{children}</div>
)

/** A panel at the edge of the window: `right` for reading, `left` for the compact menu. */
export function Sheet({
  open,
  onOpenChange,
  title,
  side,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Accessible name; not visible, because the panel has its own head. */
  title: string
  side: 'left' | 'right'
  children: ReactNode
}) {
  const focusReturn = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={side === 'left' ? 'side-menu' : 'sheet-panel'}
          {...focusReturn}
          aria-describedby={undefined}
          onInteractOutside={keepOpenForToasts}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Clicks on a toast do not close the dialog below it. */
function keepOpenForToasts(event: Event) {
  if (event.target instanceof Element && event.target.closest('.toasts')) event.preventDefault()
}
