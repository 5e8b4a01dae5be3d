import { AlertDialog as Radix } from 'radix-ui'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { useFocusReturn } from './focus-return.ts'

/**
 * A confirmation dialog for a destructive action. The title says what will be deleted or lost, the red button is labeled with
 * the action, and the other button cancels.
 */
export function AlertDialog({
  open,
  title,
  about,
  action,
  keep = 'Cancel',
  onAnswer,
}: {
  open: boolean
  title: string
  about?: string | undefined
  action: string
  keep?: string | undefined
  onAnswer: (yes: boolean) => void
}) {
  const focusReturn = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onAnswer(false)}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={styles.dialog}
          {...focusReturn}
          {...(about ? {} : { 'aria-describedby': undefined })}
          data-slot="dialog"
        >
          <Radix.Title>{title}</Radix.Title>
          {about ? <Radix.Description className={styles.about}>{about}</Radix.Description> : null}
          <div className={styles.actions}>
            <Radix.Cancel asChild>
              <Button variant="ghost">{keep}</Button>
            </Radix.Cancel>
            <Radix.Action asChild>
              <Button variant="destructive" onClick={() => onAnswer(true)}>
                {action}
              </Button>
            </Radix.Action>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
