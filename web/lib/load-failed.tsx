import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/page.tsx'
import { messageOf } from './api.ts'

/** Shown in place of content that could not be loaded, with a retry button. */
export function LoadFailed({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  return (
    <Notice role="alert">
      <h2>{title}</h2>
      <p>{messageOf(error)}</p>
      <Button onClick={onRetry}>Retry</Button>
    </Notice>
  )
}
