import { useState } from 'react'
import { z } from 'zod'

/**
 * Drafts: unsaved work of one user, such as the values of a form that closed, stored in the sessionStorage of this tab.
 */

const PREFIX = 'lectern.draft.'
const keyOf = (userId: string, id: string) => `${PREFIX}${encodeURIComponent(userId)}.${id}`

/** Stores a draft as JSON. Does nothing if the storage quota is exceeded. */
export function storeDraft(userId: string, id: string, draft: unknown): void {
  try {
    sessionStorage.setItem(keyOf(userId, id), JSON.stringify(draft))
  } catch {
    // Quota exceeded.
  }
}

/** Returns the draft `id` of a user from the storage of this tab, as parsed JSON; undefined if there is none. */
export function readDraft(userId: string, id: string): unknown {
  const text = sessionStorage.getItem(keyOf(userId, id))
  return text === null ? undefined : JSON.parse(text)
}

/** Deletes a draft of the user, if it exists. */
export const removeDraft = (userId: string, id: string): void => sessionStorage.removeItem(keyOf(userId, id))

/**
 * The draft of a text, such as a question that was not sent: `unsent` is its value when the component mounts ('' without a
 * draft), and `onUnsent` stores the current text.
 */
export function useTextDraft(userId: string, id: string): { unsent: string; onUnsent: (text: string) => void } {
  const [unsent] = useState(() => z.string().catch('').parse(readDraft(userId, id)))
  return { unsent, onUnsent: (text) => (text ? storeDraft(userId, id, text) : removeDraft(userId, id)) }
}

/** Removes the drafts of all other users. */
export function removeDraftsOfOthers(userId: string): void {
  const own = keyOf(userId, '')
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !key.startsWith(own)) sessionStorage.removeItem(key)
}
