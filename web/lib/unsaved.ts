/** An open editor with possibly unsaved changes. */
interface Unsaved {
  isUnsaved: () => boolean
  /** Discards the changes. */
  discard: () => void
}

const open = new Set<Unsaved>()

/**
 * Registers an editor (a form or dialog), so that `hasUnsaved` and `discardUnsaved` include its changes. Returns a function
 * that unregisters it.
 */
export function announceUnsaved(work: Unsaved): () => void {
  open.add(work)
  return () => void open.delete(work)
}

/** Returns true if any editor in this tab has unsaved changes. */
export const hasUnsaved = (): boolean => [...open].some((work) => work.isUnsaved())

/** Discards all unsaved changes. */
export function discardUnsaved(): void {
  for (const work of open) work.discard()
}

/** The texts of the confirmation dialog before unsaved changes are discarded. */
export const DISCARD_QUESTION = {
  title: 'Discard changes?',
  about: 'Your changes are not saved.',
  action: 'Discard changes',
  keep: 'Keep editing',
} as const
