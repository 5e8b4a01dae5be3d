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

/** Adds a paper stored at `time` to the project's batch, or begins one. Of two concurrent uploads, the later one can end first. */
export function addToBatch(projectId: string, time: string): void {
  const start = sessionStorage.getItem(keyOf(projectId))
  if (start !== null && Date.parse(start) <= Date.parse(time)) return
  sessionStorage.setItem(keyOf(projectId), time)
  notify()
}

export function endBatch(projectId: string): void {
  sessionStorage.removeItem(keyOf(projectId))
  notify()
}
