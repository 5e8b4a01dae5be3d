import type { Passage } from './quotable-sentences.ts'

/** A passage of one of several papers, with the score of the search that found it. */
export interface PaperPassage extends Passage {
  document_id: string
  /** Score of the search, 0..1. */
  score: number
  /** The heading of the longest section in the passage; null without one. */
  section: string | null
  /** The authors of the paper; empty if they are unknown. */
  authors: readonly string[]
  /** The title of the paper and its stored evidence level; null or undefined if they are unknown. */
  title?: string | null
  evidence_level?: string | null
}

/** A quoted sentence: the zero-based index of its passage in the given list, and its text. */
export interface PaperQuote {
  passage: number
  text: string
  /** The result that the quote reports ('a decrease in the rate of falls'), if papers disagree; else null or undefined. */
  side?: string | null
}

/**
 * Chooses at most one quote per paper: the one with the highest `value`. Returns the quotes of the best `most` papers, highest
 * value first. `passages` are the passages to which the quotes refer.
 */
export function bestByPaper<T extends PaperQuote & { value: number }>(
  quotes: readonly T[],
  passages: readonly PaperPassage[],
  most: number,
): T[] {
  const best = new Map<string, T>()
  for (const quote of quotes) {
    const { document_id } = passages[quote.passage]!
    const known = best.get(document_id)
    if (!known || quote.value > known.value) best.set(document_id, quote)
  }
  return [...best.values()].sort((a, b) => b.value - a.value || a.passage - b.passage).slice(0, most)
}
