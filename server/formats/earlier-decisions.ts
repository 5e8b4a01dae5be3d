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
 * Reads a cell of a column with screening decisions: 0 (excluded), 1 (included), or a word such as 'included'. An empty cell
 * and -1 mean that the record was not screened. Undefined for any other value.
 */
export function labelledDecision(label: string): EarlierDecision | undefined {
  const word = label.trim().toLowerCase()
  const value = word === '' || word === '-1' ? 'unseen' : LABELS[word.replace(/\.0$/, '')]
  return value && { value }
}

/**
 * Reads a screening decision from the notes of a record, in the form that ASReview writes or that an export of Lectern writes
 * (`LECTERN-DECISION: …`). Undefined if there is none.
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
