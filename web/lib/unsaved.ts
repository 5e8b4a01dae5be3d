/** What is open in this tab and not saved yet. */
interface Unsaved {
  isUnsaved: () => boolean
  /** The person gave it up. */
  discard: () => void
}

const open = new Set<Unsaved>()

/** Announces work that may be unsaved; returns how to end that. */
export function announceUnsaved(work: Unsaved): () => void {
  open.add(work)
  return () => void open.delete(work)
}

/** Whether anything in this tab is not saved yet. */
export const hasUnsaved = (): boolean => [...open].some((work) => work.isUnsaved())

/** Gives up what is not saved. */
export function discardUnsaved(): void {
  for (const work of open) work.discard()
}

/** The question before unsaved changes of a document are given up. */
export const DISCARD_QUESTION = {
  title: 'Discard changes?',
  about: 'What you changed in this document is not saved.',
  action: 'Discard changes',
} as const
