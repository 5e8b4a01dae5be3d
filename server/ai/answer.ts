import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { MAX_TEXT_CHARACTERS, TEXT_TOO_LARGE } from '#shared/contract/text-limits.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { currentModel } from './builtin/sentence-model/current.ts'
import { runBuiltIn } from './builtin-pool.ts'
import { streamChat } from './chat-call.ts'
import type { AiContext } from './context.ts'
import { fitsContext } from './context-window.ts'
import { embeddingModel } from './embed.ts'
import { isTooLarge, requestTooLarge } from './failure.ts'
import { betweenMarks } from './library-prompt.ts'
import { chooseModel, defaultModelNow, namedModel } from './models.ts'
import { paperInstructions } from './paper-prompt.ts'
import { recordCall } from './record.ts'

/**
 * A retrieved passage. `page_offset` is the offset of the passage in the text of its page. `start` and `end` (exclusive) are
 * the offsets of the best sentence of the passage, also in the text of the page.
 */
export interface AnswerPassage {
  content: string
  page_number: number
  page_offset: number
  similarity: number
  start: number
  end: number
  /** The sentences of the passage as offsets in the page; `similarity` is the cosine of a sentence to the question. */
  sentences?: readonly { start: number; end: number; similarity: number }[]
}

export interface QuestionToAnswer {
  question: string
  passages: AnswerPassage[]
  /** The IDF in the paper of each term of the question. */
  weights?: readonly (readonly [term: string, idf: number])[]
  /** Words of the question that the paper does not contain. */
  missing?: readonly string[]
  /** The whole paper with `[Page N]` markers, if it fits the model (fitsContext); replaces the passages. */
  fullText?: string | null
  model?: string | null
}

/**
 * Answers a question from the given text only; each sentence of the answer ends in markers like `[p. 4]`. `text` yields pieces
 * of the answer and throws an AppError when the answer fails, breaks off or is empty. `model` is the id of the model that
 * answers. Before the first piece of `text`, it is only the expected model, because the provider has not been asked yet.
 */
export function streamAnswer(
  question: QuestionToAnswer,
  ctx: AiContext,
): { readonly model: string; text: AsyncIterable<string> } {
  let model = namedModel(question.model) ?? defaultModelNow()
  async function* answer(): AsyncGenerator<string> {
    model = await chooseModel(question.model)
    const pieces = model === BUILT_IN_MODEL.id ? quoteAnswer(question, ctx) : askProvider(question, model, ctx)
    let words = false
    for await (const piece of pieces) {
      words ||= piece.trim() !== ''
      yield piece
    }
    if (!words) throw new AppError('outside_failed', 'No answer was generated')
  }
  return {
    get model() {
      return model
    },
    text: answer(),
  }
}

/** Asks about the whole text if it is given. If that text is too long for the model, asks about the passages instead. */
async function* askProvider(question: QuestionToAnswer, model: string, ctx: AiContext): AsyncGenerator<string> {
  let begun = false
  try {
    for await (const piece of askWith(question.fullText, question, model, ctx)) {
      begun = true
      yield piece
    }
  } catch (error) {
    if (begun || !question.fullText || !isTooLarge(error)) throw error
    yield* askWith(null, question, model, ctx)
  }
}

function askWith(
  whole: string | null | undefined,
  { question, passages, missing = [] }: QuestionToAnswer,
  model: string,
  ctx: AiContext,
): AsyncGenerator<string> {
  const text = whole ?? passages.map((passage) => `[Page ${passage.page_number}]\n${passage.content}`).join('\n\n')
  const { mark, marked } = betweenMarks('text', text)
  const instructions = paperInstructions({ isWhole: Boolean(whole), missing }, mark)
  const prompt = `${marked}\n\nQuestion: ${question}`
  if (!fitsContext(instructions + prompt, model)) throw requestTooLarge()
  return streamChat({ model, instructions, prompt }, ctx)
}

/**
 * A built-in answer from at most this many characters is a brief task: it takes well under a second. Retrieved passages have a
 * few thousand characters.
 */
const BRIEF_CHARACTERS = 500_000

/** Yields the built-in answer, sentence by sentence. */
async function* quoteAnswer(
  { question, passages, weights, missing = [] }: QuestionToAnswer,
  ctx: AiContext,
): AsyncGenerator<string> {
  ctx.signal?.throwIfAborted()
  const startedAt = performance.now()
  const sent = passages.reduce((sum, passage) => sum + passage.content.length, question.length)
  if (sent > MAX_TEXT_CHARACTERS) throw new AppError('too_large', TEXT_TOO_LARGE)
  let answer = ''
  let error: string | null = 'internal'
  try {
    const options = { person: ctx.userId, signal: ctx.signal, isBrief: sent <= BRIEF_CHARACTERS }
    const { model: sentenceModel } = currentModel()
    const model =
      embeddingModel().isBuiltIn && sentenceModel ? { model: sentenceModel, threads: env.EMBEDDING_THREADS } : null
    answer = await runBuiltIn('answer', { question, passages, weights, missing, model }, options)
    error = null
  } finally {
    if (ctx.signal?.aborted) error = 'aborted'
    await recordCall({ model: BUILT_IN_MODEL.id, ctx, startedAt, sent, received: answer, error })
  }
  let from = 0
  for (const { end } of splitSentences(answer)) {
    ctx.signal?.throwIfAborted()
    yield answer.slice(from, end)
    from = end
  }
}
