import { useSyncExternalStore } from 'react'

const KEY = 'lectern.project'
const listeners = new Set<() => void>()

/** Returns the id of the last selected project from localStorage; null if none is selected. */
export const useStoredProjectId = () => useSyncExternalStore(subscribe, () => localStorage.getItem(KEY))

/** Stores the id of the selected project; null removes it. */
export function storeProjectId(id: string | null): void {
  if (id === localStorage.getItem(KEY)) return
  if (id === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, id)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
