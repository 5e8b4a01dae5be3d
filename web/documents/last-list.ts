/** The search part of the last address of the list of documents, by project id. */
const shown = new Map<string, string>()

/** Remembers the page, the search and the filters of the list of documents, for the links back to it. */
export const rememberList = (projectId: string): void => void shown.set(projectId, window.location.search)

/** Returns the search part of the address that the list had last in this tab; '' if the tab has not shown the list. */
export const lastList = (projectId: string): string => shown.get(projectId) ?? ''
