import type { Actor } from '#server/lib/session.ts'

let begin: (actor: Actor, documentId: string) => Promise<void> = async () => undefined

/** Says how a new document of a project that processes automatically is begun; set once at start. It must not throw. */
export function setAutomaticProcessing(how: typeof begin): void {
  begin = how
}

/** Begins the work on a document whose file has come. */
export const processNew = (actor: Actor, documentId: string): Promise<void> => begin(actor, documentId)
