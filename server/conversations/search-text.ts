import { type DesignQuestion, designAsked } from '#server/language/design-question.ts'
import { typicalWords } from '#server/language/typical-words.ts'
import { partAsked, partNamed } from '#server/language/question-part.ts'
import { refersBack } from '#server/language/refers-back.ts'
import type { AskedPart } from '#server/search/index.ts'

/**
 * Returns the previous question if `question` can refer to it ('And in children?'), else null. `turns` are the earlier
 * questions, oldest first.
 */
export function questionBefore(question: string, turns: readonly { question: string }[]): string | null {
  const before = turns.at(-1)
  if (!before) return null
  return refersBack(question) ? before.question : null
}

/** Maximum number of passages that a model reads. */
const MOST_PASSAGES = 24
/** Matches words such as 'them' by which a question for a study design refers to the papers of the previous question. */
const REFERS_TO_PAPERS = /^(?:and|but|what about|how about)\b|\b(?:they|them|those|ones)\b/i

/**
 * Plans the search for a question. Returns the text to search, the part of the papers that the question asks for (null if
 * none), and the maximum number of passages.
 */
export function planPassages(
  question: string,
  turns: readonly { question: string }[],
): { text: string; part: AskedPart | null; limit: number } {
  const design = designAsked(question)
  if (design) {
    const subject = subjectOf(question, design, turns)
    const part = { part: design, hasSubject: subject !== '' }
    return { text: subject || design.typical, part, limit: MOST_PASSAGES }
  }
  const part = partNamed(question)
  const typical = typicalWords(question)
  return {
    text: [searchText(question, turns), ...(typical ? [typical] : [])].join('\n'),
    part: part && { part, hasSubject: partAsked(question) === null },
    limit: MOST_PASSAGES,
  }
}

/**
 * Returns what the papers must be about, for a question that asks which papers have a study design: such as 'of naps in
 * nurses'. If the question states no subject, but refers to the papers of the previous question ('Which of them were
 * randomised?'), returns the subject of the previous question, or the whole previous question if it did not ask for a study
 * design. Returns '' if there is no subject.
 */
function subjectOf(question: string, { subject }: DesignQuestion, turns: readonly { question: string }[]): string {
  const before = turns.at(-1)?.question
  if (subject !== '' || before === undefined || !REFERS_TO_PAPERS.test(question)) return subject
  return designAsked(before)?.subject ?? before
}

/** Returns the text to search for a question. It includes the previous question if the question can refer to it. */
function searchText(question: string, turns: readonly { question: string }[]): string {
  const before = questionBefore(question, turns)
  return before === null ? question : `${question}\n${before}`
}
