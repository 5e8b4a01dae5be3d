/** The search part of the address of the list that was shown last, by project. */
const shown = new Map<string, string>()

/** Remembers the page, the search and the filters of the list of documents, for the links back to it. */
export const rememberList = (projectId: string): void => void shown.set(projectId, window.location.search)

/** Returns the search part of the address of the list as this tab showed it last; '' if it did not. */
export const lastList = (projectId: string): string => shown.get(projectId) ?? ''
