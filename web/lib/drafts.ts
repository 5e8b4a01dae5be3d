/** Unsaved work of a session that ended, stored in this tab (sessionStorage) for the same person to go on with. */

const PREFIX = 'lectern.draft.'
const keyOf = (userId: string, id: string) => `${PREFIX}${encodeURIComponent(userId)}.${id}`

/** Stores a draft as JSON. Without room for it, it is lost. */
export function storeDraft(userId: string, id: string, draft: unknown): void {
  try {
    sessionStorage.setItem(keyOf(userId, id), JSON.stringify(draft))
  } catch {
    // The quota is used up.
  }
}

/** The stored draft as parsed JSON; undefined when there is none. */
export function readDraft(userId: string, id: string): unknown {
  const text = sessionStorage.getItem(keyOf(userId, id))
  return text === null ? undefined : JSON.parse(text)
}

export const removeDraft = (userId: string, id: string): void => sessionStorage.removeItem(keyOf(userId, id))

/** Removes the drafts of everybody but this person. */
export function removeDraftsOfOthers(userId: string): void {
  const own = keyOf(userId, '')
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !key.startsWith(own)) sessionStorage.removeItem(key)
}
