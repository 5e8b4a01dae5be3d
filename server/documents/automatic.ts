import type { Actor } from '#server/db/actor.ts'

let begin: (actor: Actor, documentId: string) => Promise<void> = async () => undefined

/**
 * Sets the handler that starts automatic processing of new documents; call once at the start. The handler must not
 * throw.
 */
export function setAutomaticProcessing(how: typeof begin): void {
  begin = how
}

/** Starts automatic processing of a document with a new file. */
export const processNew = (actor: Actor, documentId: string): Promise<void> => begin(actor, documentId)
