import { Check, TriangleAlert, X } from 'lucide-react'
import { Button, IconButton } from './button.tsx'

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
    <div className={destructive ? 'toast bad' : 'toast'}>
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
        <X className="ic" aria-hidden />
      </IconButton>
    </div>
  )
}
