/** Leaves a line in the browser's console for whoever looks into a fault; nothing that a user has to know. */
export const logWarning = (what: string, cause: unknown) => console.warn(what, cause)
