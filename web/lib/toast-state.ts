/** The one notice of the page, and how long it lives; `toasts.tsx` draws it. */

/** A notice as somebody gives it. */
export interface Toast {
  title: string
  description?: string | undefined
  /** Bad news. */
  destructive?: boolean
  /** Gives way to bad news: not shown while a destructive notice is on the page. */
  yields?: boolean
  /** A button that takes back what the notice tells. */
  action?: { label: string; run: () => void } | undefined
}

/** The notice of now, drawn while it is open. */
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

/** Shows a notice in place of the one before: at most one is there at a time. */
export function toast(notice: Toast): void {
  if (notice.yields && current?.open && current.destructive) return
  const id = nextId++
  set({ ...notice, id, open: true })
  hold(id)
}

/** Takes the notice away: what it told has been left behind. */
export function dismissNews(): void {
  if (current) dismiss(current.id)
}

/** Begins the time of a notice anew. */
export function hold(id: number) {
  clearTimeout(timer)
  timer = setTimeout(() => dismiss(id), DURATION_MS)
}

/** Takes a notice off the page. */
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

/** Tells the listener of every change; returns how to stop. */
export function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Stops the time of the notice, for as long as somebody points at it. */
export const pause = () => clearTimeout(timer)

/** The notice of now, also one that was dismissed and is not forgotten yet. */
export const shownToast = () => current
