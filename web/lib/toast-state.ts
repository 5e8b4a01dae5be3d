/** This module has the state and the timer of the single toast, which `toasts.tsx` renders. */

/** The argument of `toast`. */
export interface Toast {
  title: string
  description?: string | undefined
  /** True for an error. */
  destructive?: boolean
  /** True: the toast is not shown while an error toast is open. */
  yields?: boolean
  /** A button below the text, for example 'Undo' or 'Details'. */
  action?: { label: string; run: () => void } | undefined
}

/** The current toast. It is rendered if `open` is true. */
interface Shown extends Toast {
  id: number
  open: boolean
}

const DURATION_MS = 5000
/** Time in ms after which a dismissed toast is removed from memory. A dismissed toast is not rendered. */
const REMOVE_DELAY_MS = 1_000_000

let current: Shown | null = null
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Shows a toast. It replaces the current one. */
export function toast(notice: Toast): void {
  if (notice.yields && current?.open && current.destructive) return
  const id = nextId++
  set({ ...notice, id, open: true })
  hold(id)
}

/** Dismisses the current toast. Used when its message does not apply any more. */
export function dismissNews(): void {
  if (current) dismiss(current.id)
}

/** Restarts the timer that dismisses a toast after 5 seconds. */
export function hold(id: number) {
  clearTimeout(timer)
  timer = setTimeout(() => dismiss(id), DURATION_MS)
}

/** Dismisses a toast if it is the current one. */
export function dismiss(id: number) {
  if (current?.id !== id) return
  set({ ...current, open: false })
  clearTimeout(timer)
  timer = setTimeout(() => current?.id === id && set(null), REMOVE_DELAY_MS)
}

function set(next: Shown | null) {
  current = next
  for (const listener of listeners) listener()
}

/** Calls the listener whenever the current toast changes. Returns a function that unsubscribes. */
export function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Stops the timer that dismisses the toast. Call it while the toast is hovered or focused. */
export const pause = () => clearTimeout(timer)

/** Returns the current toast, or null. The toast may be dismissed already (`open` is false). */
export const shownToast = () => current
