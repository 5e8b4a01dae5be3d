/**
 * Doubts about a sentence of an answer: a quote was found only approximately, a number is in none of its quotes, one of
 * sentence and quote has a negation that the other lacks, or a provider said that the quote supports it partly.
 */
export const MARK_KINDS = ['near', 'number', 'negation', 'partly'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** The words on the screen. */
export const MARK_LABELS: Record<MarkKind, string> = {
  near: 'near',
  number: 'number not in the quote',
  negation: 'check the wording',
  partly: 'partly supported',
}
