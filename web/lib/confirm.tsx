import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from './lazy-part.ts'

// Loaded on first use: most visits never show it.
const AlertDialog = lazyPart(() => import('#web/ui/alert-dialog.tsx').then((file) => file.AlertDialog))

export interface Question {
  title: string
  about?: string
  /** Label of the red button, for example 'Delete 3 documents'. */
  action: string
  /** Label of the other button. Set it if 'Cancel' would be ambiguous, for example in a question about cancelling a job. */
  keep?: string
}

interface PendingQuestion extends Question {
  open: boolean
  answer: (yes: boolean) => void
}

let pending: PendingQuestion | null = null
const listeners = new Set<() => void>()

/**
 * Shows a confirmation dialog and resolves to true if the user confirms. If another dialog is open, it closes and resolves to
 * false.
 */
export function confirm(question: Question): Promise<boolean> {
  pending?.answer(false)
  return new Promise((resolve) => set({ ...question, open: true, answer: resolve }))
}

/** Renders the dialog that `confirm` opens. The app renders this component once. */
export function ConfirmHost() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => pending,
  )
  if (!now) return null
  return (
    <Suspense>
      <AlertDialog
        open={now.open}
        title={now.title}
        about={now.about}
        action={now.action}
        keep={now.keep}
        onAnswer={(yes) => {
          now.answer(yes)
          // Keeps the text while the closing animation runs.
          set({ ...now, open: false })
        }}
      />
    </Suspense>
  )
}

function set(next: PendingQuestion | null) {
  pending = next
  for (const listener of listeners) listener()
}
