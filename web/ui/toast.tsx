import { Check, TriangleAlert, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button, IconButton } from './button.tsx'
import { cn } from './class-names.ts'
import styles from './toast.module.css'

/** The corner of the window in which toasts are shown. */
export const ToastRegion = (props: ComponentProps<'div'>) => (
  <div
    {...props}
    className={styles.toasts}
    data-slot="toasts"
    role="region"
    aria-label="Notifications"
    aria-live="polite"
  />
)

/** The card of a toast. An error has a triangle icon. */
export function ToastCard({
  title,
  description,
  destructive,
  action,
  onDismiss,
}: {
  title: string
  description?: string | undefined
  destructive: boolean
  action?: { label: string; run: () => void } | undefined
  onDismiss: () => void
}) {
  const Mark = destructive ? TriangleAlert : Check
  return (
    <div className={destructive ? cn(styles.toast, styles.error) : styles.toast}>
      <Mark aria-hidden />
      <div>
        <b>{title}</b>
        {description ? <p>{description}</p> : null}
        {action ? (
          <Button
            size="sm"
            className="mt-2"
            onClick={() => {
              onDismiss()
              action.run()
            }}
          >
            {action.label}
          </Button>
        ) : null}
      </div>
      <IconButton label="Dismiss" onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
