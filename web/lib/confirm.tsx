import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from './lazy-part.ts'

// Fetched with the first question: most visits ask none.
const AlertDialog = lazyPart(() => import('#web/ui/alert-dialog.tsx').then((file) => file.AlertDialog))

export interface Question {
  title: string
  about?: string
  /** What the red button says, for example 'Delete 3 documents'. */
  action: string
  /** What the button says that changes nothing, where 'Cancel' could be taken for the deed. */
  keep?: string
}

interface Asked extends Question {
  open: boolean
  answer: (yes: boolean) => void
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** Asks and waits for the answer. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => set({ ...question, open: true, answer: resolve }))
}

/** Draws the question; stands once in the shell. */
export function ConfirmHost() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => asked,
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
          // The words stay while the dialog closes.
          set({ ...now, open: false })
        }}
      />
    </Suspense>
  )
}

function set(next: Asked | null) {
  asked = next
  for (const listener of listeners) listener()
}
