import type { ErrorComponentProps } from '@tanstack/react-router'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'

/** Stands in for a screen that broke, so that the rest of the page stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <main className="page">
      <div className="notice">
        <h1>This page could not be shown</h1>
        <p>{messageOf(error)}</p>
        <Button onClick={reset}>Retry</Button>
      </div>
    </main>
  )
}
