import type { FoundEvidence } from '#server/evidence/index.ts'
import { hasOnlyNearest, noAnswer, reasonOfRefusal, UNSUPPORTED_REASONS } from '#shared/contract/answer-texts.ts'
import type { LibraryAnswer, SentenceMark } from '#shared/contract/conversations.ts'
import type { RunValue } from '#shared/contract/runs.ts'
import { MARK_LABELS } from '#shared/contract/sentence-marks.ts'

type Answered = Pick<LibraryAnswer, 'kind' | 'papers' | 'missing' | 'apart' | 'unsupported' | 'groups'> & {
  sentences: readonly Sentence[]
  nearest: readonly FoundEvidence[]
}

interface Sentence {
  text: string
  marks: readonly SentenceMark[]
  group: number | null
  evidence: readonly FoundEvidence[]
}

/**
 * Returns an answer over a project as the values of its run (a recorded analysis or answer): the sides of a disagreement with
 * the numbers of their sentences, the verified sentences, the sentences without evidence, the reason of an answer without a
 * verified sentence, and the nearest passages. The marks of a sentence follow it in parentheses. Sentences with and without
 * evidence have the same key, so that a comparison pairs them.
 */
export function answerValues(answer: Answered): RunValue[] {
  const { sentences, groups, unsupported, nearest } = answer
  const value = (key: string, label: string, text: string, evidence: readonly FoundEvidence[] = []): RunValue => ({
    key,
    label,
    of: null,
    text,
    evidence: [...evidence],
  })
  return [
    ...groups.flatMap((label, at) => {
      const numbers = sentences.flatMap(({ group }, index) => (group === at ? [index + 1] : []))
      return numbers.length > 0 ? [value('side', `Side of ${sentencesOf(numbers)}`, label)] : []
    }),
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

/** Returns 'sentence 1', or 'sentences 1, 2 and 4'. */
const sentencesOf = (numbers: readonly number[]) =>
  numbers.length === 1 ? `sentence ${numbers[0]}` : `sentences ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`

const withNotes = (text: string, notes: readonly string[]) => [text, ...notes.map((note) => `(${note})`)].join(' ')
