/**
 * Doubts about a sentence of an answer. near: a quote was found only approximately. number: a number of the sentence is in none
 * of its quotes. negation: either the sentence or its quote has a negation, but not both. partly: the model of a provider
 * judged that the quote supports the sentence partly. unchecked: the call that judges the quotes failed or returned no verdict.
 */
export const MARK_KINDS = ['near', 'number', 'negation', 'partly', 'unchecked'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** The label on the screen of each kind of doubt about a sentence of an answer. */
export const MARK_LABELS: Record<MarkKind, string> = {
  near: 'near',
  number: 'number not in the quote',
  negation: 'check the wording',
  partly: 'partly supported',
  unchecked: 'support not checked',
}
