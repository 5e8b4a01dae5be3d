import { useSyncExternalStore } from 'react'
import { queryClient } from '#web/lib/query-client.ts'
import { progressQuery } from './queries.ts'

/*
 * The current upload of a project, by its id. It stays until the user dismisses its result, also when the page is loaded
 * again.
 */

const listeners = new Set<() => void>()
const keyOf = (projectId: string) => `lectern.upload.${projectId}`
const notify = () => listeners.forEach((listener) => listener())

/** Returns the id of the upload whose progress this browser shows in the project; null if it shows none. */
export const useBatch = (projectId: string): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => localStorage.getItem(keyOf(projectId)),
  )

/**
 * Returns the upload id to send with new files of a project. It is the id of the upload whose progress is shown, if papers of
 * this upload are still being processed or its state is not known. Otherwise it is a new id.
 */
export function batchFor(projectId: string): string {
  const current = localStorage.getItem(keyOf(projectId))
  const isOpen = current !== null && queryClient.getQueryData(progressQuery(projectId, current).queryKey)?.open !== 0
  return isOpen ? current : newId()
}

/** Makes the project show the progress of an upload in this browser, also after a reload. */
export function showBatch(projectId: string, uploadId: string): void {
  if (localStorage.getItem(keyOf(projectId)) === uploadId) return
  localStorage.setItem(keyOf(projectId), uploadId)
  notify()
}

/** Ends the display of the progress of an upload in the project. The upload itself does not change. */
export function endBatch(projectId: string): void {
  localStorage.removeItem(keyOf(projectId))
  notify()
}

/**
 * Returns a random UUID (version 4). Does not use `crypto.randomUUID`, because browsers offer it only on HTTPS and localhost.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
