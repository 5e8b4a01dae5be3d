import type { EarlierDecision } from './read-record.ts'

const LABELS: Record<string, EarlierDecision['value']> = {
  '1': 'included',
  yes: 'included',
  true: 'included',
  include: 'included',
  included: 'included',
  relevant: 'included',
  '0': 'excluded',
  no: 'excluded',
  false: 'excluded',
  exclude: 'excluded',
  excluded: 'excluded',
  irrelevant: 'excluded',
  maybe: 'maybe',
  undecided: 'maybe',
  not_seen: 'unseen',
}

/**
 * Reads the value of a column with decisions: 0, 1, or a word. Empty and -1 mean that the record was not seen. Undefined for
 * other values.
 */
export function labelledDecision(label: string): EarlierDecision | undefined {
  const word = label.trim().toLowerCase()
  const value = word === '' || word === '-1' ? 'unseen' : LABELS[word.replace(/\.0$/, '')]
  return value && { value }
}

/**
 * Reads the decision in the notes of a record: that of ASReview, or of an export of Lectern (`LECTERN-DECISION: …`). Undefined
 * without one.
 */
export function decisionInNotes(notes: readonly string[]): EarlierDecision | undefined {
  const text = notes.join('\n')
  const own = /\bLECTERN-DECISION: *(included|excluded|maybe)(?:; *([^;\n]*))?(?:; *([^\n]*))?/.exec(text)
  if (own) {
    const [, value, stage, reason] = own
    return {
      value: LABELS[value!]!,
      ...(stage?.trim() && { stage: stage.trim() }),
      ...(reason?.trim() && { reason: reason.trim() }),
    }
  }
  const label = /\bASReview_(relevant|irrelevant|not_seen)\b/i.exec(text)?.[1]
  if (!label) return undefined
  return { value: LABELS[label.toLowerCase()]!, ...(/\bASReview_prior\b/i.test(text) && { isPrior: true }) }
}
