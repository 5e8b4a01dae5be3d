import { useSyncExternalStore } from 'react'
import { ToastCard } from '#web/ui/toast.tsx'

export interface Toast {
  title: string
  description?: string | undefined
  /** Bad news. */
  destructive?: boolean
}

interface Shown extends Toast {
  id: number
  open: boolean
}

const DURATION_MS = 5000
/** A dismissed toast leaves the list only after this long; until then it is merely not drawn. */
const REMOVE_DELAY_MS = 1_000_000

let current: Shown | null = null
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Shows a notice, bottom right, in place of the one before: at most one is there at a time. */
export function toast(notice: Toast): void {
  const id = nextId++
  set({ ...notice, id, open: true })
  hold(id)
}

/** Takes an alarm away whose cause is gone; other notices stay. */
export function dismissBadNews(): void {
  if (current?.destructive) dismiss(current.id)
}

/** The place of the notice. Its region is there from the start, so that screen readers hear what is put into it. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => current)
  return (
    <div
      className="toasts"
      role="region"
      aria-label="Notifications"
      aria-live="polite"
      onPointerEnter={() => clearTimeout(timer)}
      onPointerLeave={() => shown && hold(shown.id)}
    >
      {shown?.open ? (
        <ToastCard
          key={shown.id}
          title={shown.title}
          description={shown.description}
          destructive={shown.destructive ?? false}
          onDismiss={() => dismiss(shown.id)}
        />
      ) : null}
    </div>
  )
}

function hold(id: number) {
  clearTimeout(timer)
  timer = setTimeout(() => dismiss(id), DURATION_MS)
}

function dismiss(id: number) {
  if (current?.id !== id) return
  set({ ...current, open: false })
  clearTimeout(timer)
  timer = setTimeout(() => current?.id === id && set(null), REMOVE_DELAY_MS)
}

function set(next: Shown | null) {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
