import { useSyncExternalStore } from 'react'

/*
 * The start of a project's batch of uploads: the time at which the server stored its first paper. It stays until the user
 * dismisses the result, also when the page is loaded again in this tab.
 */

const listeners = new Set<() => void>()
const keyOf = (projectId: string) => `lectern.batch.${projectId}`
const notify = () => listeners.forEach((listener) => listener())

/** Returns the start of the project's batch, as an ISO time of the server, or null without one. */
export const useBatchStart = (projectId: string): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => sessionStorage.getItem(keyOf(projectId)),
  )

/** Begins a batch with a paper stored at `time`, unless one is open. */
export function beginBatch(projectId: string, time: string): void {
  if (sessionStorage.getItem(keyOf(projectId)) !== null) return
  sessionStorage.setItem(keyOf(projectId), time)
  notify()
}

export function endBatch(projectId: string): void {
  sessionStorage.removeItem(keyOf(projectId))
  notify()
}
