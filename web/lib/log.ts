/** Writes a warning to the browser console for debugging. */
export const logWarning = (what: string, cause: unknown) => console.warn(what, cause)
