import { Check, TriangleAlert, X } from 'lucide-react'
import { IconButton } from './button.tsx'

/** The card of one notice; only the triangle says that it is bad news. */
export function ToastCard({
  title,
  description,
  destructive,
  onDismiss,
}: {
  title: string
  description?: string | undefined
  destructive: boolean
  onDismiss: () => void
}) {
  const Mark = destructive ? TriangleAlert : Check
  return (
    <div className={destructive ? 'toast bad' : 'toast'}>
      <Mark aria-hidden />
      <div>
        <b>{title}</b>
        {description ? <p>{description}</p> : null}
      </div>
      <IconButton label="Dismiss" onClick={onDismiss}>
        <X className="ic" aria-hidden />
      </IconButton>
    </div>
  )
}
