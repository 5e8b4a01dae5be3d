import { LIBRARY_INSTRUCTIONS, type LibraryQuestion, modelSettings } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { claimAsked } from '#server/language/agreement-question.ts'
import { designAsked } from '#server/language/design-question.ts'
import { partAsked } from '#server/language/question-part.ts'
import { env } from '#server/lib/env.ts'
import { hashText, placesOf, type RunOrigin, type RunRequest } from '#server/runs/index.ts'
import { type AnswerPassage, findKnownWords, type PaperScope, type ScopeSize } from '#server/search/index.ts'
import { findMissing } from '#server/texts/index.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { hashTurns, type Turn } from './read-turns.ts'
import { questionBefore } from './search-text.ts'

/** Matches a word of a question, as the built-in model divides it into words. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const MOST_WORDS = 60

/** A question that is being answered. */
export interface AskedQuestion extends PaperScope {
  question: string
  again: boolean
  /** If true, no stored answer is used, not even a stored answer of the built-in model. */
  withoutStored: boolean
  size: ScopeSize
  turns: readonly Turn[]
  origin: RunOrigin
}

/**
 * Returns the input of the run (the record of a call of a model) that writes an answer: everything that determines the answer,
 * such as the question, the passages, and the papers with the versions of their texts. If an earlier run has the same input,
 * its output can be used again.
 */
export function requestOf(asked: AskedQuestion, passages: readonly AnswerPassage[], model: string): RunRequest {
  const versions = new Map(passages.map(({ document_id, text_version }) => [document_id, text_version]))
  const { question, scope, leaveOutRetracted, size, turns } = asked
  // The authors can change without a new version of the text.
  const asksForAuthors = partAsked(question) === 'authors'
  // So can the title and the evidence level.
  const asksForDesign = designAsked(question) !== null
  return {
    projectId: asked.projectId,
    kind: 'library_answer',
    model,
    model_settings: { ...modelSettings(model), verify: env.AI_VERIFY },
    prompt_text: model === BUILT_IN_MODEL.id ? '' : LIBRARY_INSTRUCTIONS,
    input: {
      documents: [...versions].map(([id, text_version]) => ({ id, text_version })),
      question,
      options: {
        scope,
        leave_out_retracted: leaveOutRetracted,
        papers: size.papers,
        turns: hashTurns(turns),
        earlier_questions: turns.length,
        places: placesOf(passages),
        passages: hashText(
          JSON.stringify(
            passages.map(({ document_id, position, content, authors, title, evidence_level }) => [
              document_id,
              position,
              content,
              ...(asksForAuthors ? authors : []),
              ...(asksForDesign ? [title, evidence_level] : []),
            ]),
          ),
        ),
      },
    },
  }
}

interface Found {
  passages: readonly AnswerPassage[]
  weights: LibraryQuestion['weights']
}

/**
 * Returns the input for a model: the question, its passages, and the words of the question that no paper in the scope contains.
 */
export async function libraryQuestion(
  actor: Actor,
  asked: AskedQuestion,
  { passages, weights, signal }: Found & { signal: AbortSignal },
): Promise<LibraryQuestion> {
  const { question, turns, size } = asked
  const read = passages.map(({ content }) => content).join('\n')
  const lazy = { size: read.length, load: async () => read }
  // The words that name a study design, or ask whether studies agree, need not occur in the text.
  const part = designAsked(question)?.subject ?? claimAsked(question) ?? question
  const unread = await findMissing({ person: actor.userId, signal }, lazy, { question, part, isFocused: false })
  const words = [...new Set(part.match(WORD))].slice(0, MOST_WORDS)
  const known = await findKnownWords(actor, asked, [...unread, ...words])
  return {
    question,
    before: questionBefore(question, turns),
    turns,
    papers: size.papers,
    weights,
    missing: unread.filter((word) => !known.has(word)),
    absent: words.filter((word) => !known.has(word)),
    passages: passages.map(
      ({
        document_id,
        title,
        year,
        evidence_level,
        page_number,
        page_offset,
        section,
        authors,
        content,
        best,
        score,
        sentences,
      }) => ({
        document_id,
        title,
        year,
        evidence_level,
        page_number,
        page_offset,
        section,
        authors,
        content,
        similarity: score,
        score,
        start: page_offset + best.start,
        end: page_offset + best.end,
        sentences,
      }),
    ),
  }
}
