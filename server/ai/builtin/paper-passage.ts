import type { Passage } from './quotable-sentences.ts'

/** A passage of one of several papers, with the score of the search that found it. */
export interface PaperPassage extends Passage {
  document_id: string
  score: number
  /** The heading of its longest section; null without one. */
  section: string | null
  /** The authors of the paper; empty if they are unknown. */
  authors: readonly string[]
}

/** A quoted sentence: the place of its passage in the given list, and its text. */
export interface PaperQuote {
  passage: number
  text: string
}
