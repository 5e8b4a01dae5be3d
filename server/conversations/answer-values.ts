import type { FoundEvidence } from '#server/evidence/index.ts'
import { hasOnlyNearest, noAnswer, reasonOfRefusal, UNSUPPORTED_REASONS } from '#shared/contract/answer-texts.ts'
import type { LibraryAnswer, SentenceMark } from '#shared/contract/conversations.ts'
import type { RunValue } from '#shared/contract/runs.ts'
import { MARK_LABELS } from '#shared/contract/sentence-marks.ts'

type Answered = Pick<LibraryAnswer, 'kind' | 'papers' | 'missing' | 'apart' | 'unsupported'> & {
  sentences: readonly { text: string; marks: readonly SentenceMark[]; evidence: readonly FoundEvidence[] }[]
  nearest: readonly FoundEvidence[]
}

/**
 * Returns an answer over a project as the values of its run (a recorded analysis or answer): the verified sentences, the
 * sentences without evidence, the reason of an answer without a verified sentence, and the nearest passages. The marks of a
 * sentence follow it in parentheses. Sentences with and without evidence have the same key, so that a comparison pairs them.
 */
export function answerValues(answer: Answered): RunValue[] {
  const { sentences, unsupported, nearest } = answer
  const value = (key: string, label: string, text: string, evidence: readonly FoundEvidence[] = []): RunValue => ({
    key,
    label,
    of: null,
    text,
    evidence: [...evidence],
  })
  return [
    ...sentences.map(({ text, marks, evidence }, at) =>
      value(
        'sentence',
        `Sentence ${at + 1}`,
        withNotes(
          text,
          marks.map(({ kind }) => MARK_LABELS[kind]),
        ),
        evidence,
      ),
    ),
    ...unsupported.map(({ text, reason }, at) =>
      value('sentence', `Said without evidence ${at + 1}`, withNotes(text, [UNSUPPORTED_REASONS[reason]])),
    ),
    ...(hasOnlyNearest(answer)
      ? [value('refusal', 'No answer', [noAnswer(answer), reasonOfRefusal(answer)].filter(Boolean).join(' '))]
      : []),
    ...nearest.map((one, at) => value('nearest', `Nearest passage ${at + 1}`, one.quote, [one])),
  ]
}

const withNotes = (text: string, notes: readonly string[]) => [text, ...notes.map((note) => `(${note})`)].join(' ')
