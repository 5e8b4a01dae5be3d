import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './class-names.ts'
import { useFocusReturn } from './focus-return.ts'

/** A dialog of one column. Escape closes it and focus returns to where it came from. */
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
  /** One line of context below the title. */
  about?: ReactNode
  wide?: boolean
  /** True while something runs that closing would lose: the dialog then stays. */
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

/** The buttons of a dialog, at its bottom right, the primary one last. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="acts dialog-acts">{children}</div>
)

/** A panel that slides over one edge of the window: `right` for reading, `left` for the compact menu. */
export function Sheet({
  open,
  onOpenChange,
  title,
  side,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Read out, not drawn: the panel's own head shows what it is. */
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

/** Dismissing a toast is not a wish to leave the dialog below it. */
function keepOpenForToasts(event: Event) {
  if (event.target instanceof Element && event.target.closest('.toasts')) event.preventDefault()
}
