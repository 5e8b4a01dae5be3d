import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './class-names.ts'
import styles from './dialog.module.css'
import { useFocusReturn } from './focus-return.ts'

/** Classes that give a dialog of another library the look of `Dialog`. */
export const dialogClasses = { overlay: styles.overlay, dialog: styles.dialog }

/** A modal dialog. Escape closes it, and the focus returns to the element that opened it. */
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
  /** True: a wider dialog. 'extra' is for forms with columns; such a dialog fills a small screen. */
  wide?: boolean | 'extra'
  /** True: the user cannot close the dialog. Set it while work runs that closing would lose. */
  locked?: boolean
  children: ReactNode
}) {
  const focusReturn = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !locked) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={cn(
            styles.dialog,
            styles.dialogFrame,
            wide && styles.dialogWide,
            wide === 'extra' && styles.dialogExtra,
          )}
          {...focusReturn}
          {...(about ? {} : { 'aria-describedby': undefined })}
          onInteractOutside={keepOpenForToasts}
          onEscapeKeyDown={keepOpenForList}
          data-slot="dialog"
          data-wide={wide ? true : undefined}
        >
          <Radix.Title>{title}</Radix.Title>
          {about ? <Radix.Description className={styles.about}>{about}</Radix.Description> : null}
          <div className={styles.dialogScroll}>{children}</div>
          {locked ? null : (
            <Radix.Close asChild>
              <IconButton label="Close" className={styles.close}>
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The row of buttons at the bottom of a dialog. Put the primary button last. `note` is a text before the buttons. */
export const DialogActions = ({ note, children }: { note?: ReactNode; children: ReactNode }) => (
  <div className={cn(styles.actions, styles.dialogActions)}>
    {note ? <p className={styles.actionsNote}>{note}</p> : null}
    {children}
  </div>
)

/**
 * A modal panel at the edge of the window, which covers the page. The menu on narrow screens uses `left`; content for reading
 * uses `right`.
 */
export function Sheet({
  open,
  onOpenChange,
  title,
  side,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Accessible name of the panel. It is not visible, because `children` contain the heading. */
  title: string
  side: 'left' | 'right'
  children: ReactNode
}) {
  const focusReturn = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={side === 'left' ? styles.sideMenu : styles.sheetPanel}
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

/** Prevents Escape from closing the dialog while it closes the list of suggestions of a field. */
function keepOpenForList(event: KeyboardEvent) {
  if (event.target instanceof Element && event.target.matches('[role=combobox][aria-expanded=true]'))
    event.preventDefault()
}

/** Prevents a click on a toast from closing the dialog below it. */
function keepOpenForToasts(event: Event) {
  if (event.target instanceof Element && event.target.closest('[data-slot=toasts]')) event.preventDefault()
}
