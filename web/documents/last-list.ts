/** The query string of the document list that the user saw last, by project id. */
const shown = new Map<string, string>()

/** Stores the query string (page, search and filters) of the document list, for links back to the list. */
export const rememberList = (projectId: string): void => void shown.set(projectId, window.location.search)

/**
 * Returns the query string (search, filters, sorting and page) of the document list that this tab showed last for the project;
 * '' if it has not shown the list.
 */
export const lastList = (projectId: string): string => shown.get(projectId) ?? ''
