/** Returns the text about a document whose vectors failed, with the reason. */
export const vectorFailure = (reason: string): string => `Vectorizing failed: ${reason}`
