import { parentPort } from 'node:worker_threads'
import { claimAsked } from '#server/language/agreement-question.ts'
import { designAsked } from '#server/language/design-question.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { END_MESSAGE, type WorkerMessage } from '#server/workers/worker-pool.ts'
import { NO_PASSAGES_ANSWER, notMentionedAnswer, notTogetherAnswer } from '#shared/contract/chat.ts'
import { analyzeExtractively } from './builtin/analysis.ts'
import { type AlignedWord, alignWords, placesInLibrary, placesInPaper } from './builtin/align-words.ts'
import { answerExtractively } from './builtin/answer.ts'
import type { CrossEncoder } from './builtin/cross-encoder/score-sentences.ts'
import { NOT_READ, readTogether } from './builtin/cross-encoder/read-together.ts'
import { type Refusal, refuse } from './builtin/judge-answerable.ts'
import { quotePapers } from './builtin/library-answer.ts'
import type { PaperQuote } from './builtin/paper-passage.ts'
import { type Focus, focusedInLibrary, focusOf, isAnsweredBy, wordsToCover } from './builtin/question-focus.ts'
import { answersAmong, quotableSentences, textsToCompare } from './builtin/quotable-sentences.ts'
import { printedAbstract } from './builtin/printed-abstract.ts'
import { readPrintedVolume } from './builtin/printed-volume.ts'
import { findSearchPhrases } from './builtin/search-phrases.ts'
import type { Encoder } from './builtin/sentence-model/encode.ts'
import type { SentenceModel } from './builtin/sentence-model/model-folder.ts'

/** The sentence model and the number of threads that run it. */
interface LoadedModel {
  model: SentenceModel
  threads: number
}

/** Input and output of the tasks of the worker thread that runs the built-in models, by the name of the task. */
export interface BuiltInTasks {
  analysis: { input: Parameters<typeof analyzeExtractively>[0]; output: ReturnType<typeof analyzeExtractively> }
  /** Finds the abstract that is printed in a text. The output is null if there is none. */
  abstract: { input: string; output: string | null }
  /** Finds volume, issue and pages that a paper prints about itself. */
  volume: { input: Parameters<typeof readPrintedVolume>[0]; output: ReturnType<typeof readPrintedVolume> }
  /**
   * Answers a question about one paper. `missing` are words of the question that the paper does not contain. If `model` is
   * null, words are not compared by meaning.
   */
  answer: {
    input: Parameters<typeof answerExtractively>[0] & { missing: readonly string[]; model: LoadedModel | null }
    output: string
  }
  /**
   * Answers a question about several papers by quotes. `missing` and `absent` are words of the question that no paper contains
   * (see LibraryQuestion). `refusal` is the reason why no paper answers the question, and then there are no quotes; else null.
   */
  library: {
    input: Omit<Parameters<typeof quotePapers>[0], 'compared'> & {
      missing: readonly string[]
      absent: readonly string[]
      model: LoadedModel | null
    }
    output: { refusal: Refusal | null; quotes: PaperQuote[] }
  }
  phrases: { input: string; output: string[] }
  /** Embeds texts. The output contains the vectors of all texts one after the other, each of length 1. */
  embed: { input: { texts: string[] } & LoadedModel; output: Float32Array<ArrayBuffer> }
  /** Loads the sentence model, so that the first texts do not wait for it. */
  load: { input: LoadedModel; output: null }
}

/** A request to the worker thread that runs the built-in models: the name of a task and its input. */
export type BuiltInRequest = {
  [K in keyof BuiltInTasks]: { task: K; input: BuiltInTasks[K]['input'] }
}[keyof BuiltInTasks]

/** The sentence model. The first task that uses it loads it. An analysis does not use it. */
let encoder: Promise<Encoder> | undefined
const encoderOf = (loaded: LoadedModel) => (encoder ??= load(loaded))
const load = async ({ model, threads }: LoadedModel) =>
  (await import('./builtin/sentence-model/encode.ts')).loadEncoder(model, threads)

/** The cross-encoder (a model that reads a question together with a passage). The first question that it can read loads it. */
let crossEncoder: Promise<CrossEncoder> | undefined
const crossEncoderOf = (threads: number) => (crossEncoder ??= loadReader(threads))
const loadReader = async (threads: number) =>
  (await import('./builtin/cross-encoder/score-sentences.ts')).loadCrossEncoder(threads)

async function answer({ model, missing, ...input }: BuiltInTasks['answer']['input']): Promise<string> {
  const { question, passages } = input
  const content = passages.map((passage) => passage.content).join('\n')
  const compared = model ? await compare(question, passages, model, placesInPaper) : null
  const focus = focusOf(question, content)
  const answered =
    focus && isAnsweredBy(question, focus, answersAmong(question, quotableSentences(passages)).filter(focus.is))
      ? focus
      : null
  const judged = compared && judgedWords(compared, input.weights, answered)
  const refusal = refuse({ question, content, missing: wordsToCover(missing, asIs, answered) }, judged, 'paper')
  if (!refusal) return answerExtractively({ ...input, words: compared?.quotes.words, scores: compared?.scores })
  if (refusal.missing.length > 0) return notMentionedAnswer(refusal.missing)
  return refusal.apart.length > 0 ? notTogetherAnswer(refusal.apart) : NO_PASSAGES_ANSWER
}

async function answerLibrary({
  model,
  missing,
  absent,
  ...input
}: BuiltInTasks['library']['input']): Promise<BuiltInTasks['library']['output']> {
  const { question, passages } = input
  const content = passages.map((passage) => passage.content).join('\n')
  // A question for papers with a study design is answered without a comparison of words (quoteDesigns).
  const isCompared = model !== null && designAsked(question) === null
  const compared = isCompared ? await compare(question, passages, model, placesInLibrary, claimAsked(question)) : null
  const focus = focusOf(question, content)
  const focused =
    focus &&
    focusedInLibrary({ question, before: input.before, passages }, answersAmong(question, quotableSentences(passages)))
  const answered = focused && isAnsweredBy(question, focus, focused) ? focus : null
  const judged = compared && judgedWords(compared, input.weights, answered)
  const missed = wordsToCover(missing, asIs, answered)
  const refusal = refuse({ question, content, missing: missed, absent }, judged, 'library')
  return { refusal, quotes: refusal ? [] : quotePapers({ ...input, compared: compared?.quotes }) }
}

/**
 * Returns the comparison of a question with passages, without the words of the question that an answer need not contain. Adds
 * the IDF of the question's terms.
 */
const judgedWords = <T extends { words: readonly AlignedWord[] }>(
  compared: T,
  weights: Parameters<typeof answerExtractively>[0]['weights'],
  answered: Focus | null,
) => ({ ...compared, words: wordsToCover(compared.words, ({ word }) => word, answered), idf: new Map(weights) })

const asIs = (word: string) => word

/**
 * Compares the words of a question, or of its claim (see claimAsked), with texts of the passages. `choose` selects these texts
 * and so limits the time. Returns the cosines of the words to the texts (`words`). `scores` (by the cross-encoder) and `quotes`
 * (cosines) are for the quotable sentences only.
 */
async function compare(
  question: string,
  found: Parameters<typeof textsToCompare>[0],
  model: LoadedModel,
  choose: typeof placesInLibrary,
  claim: string | null = null,
) {
  const asked = claim ?? question
  const all = textsToCompare(found)
  const chosen = choose(all)
  const { embedWords } = await encoderOf(model)
  const texts = chosen.map((at) => all.texts[at]!)
  const words = await alignWords(asked, texts, embedWords)
  const columnOf = new Map(chosen.map((at, column) => [at, column]))
  const compared = (places: readonly number[]) => places.flatMap((at) => columnOf.get(at) ?? [])
  const passages = all.passages.map(compared).filter((columns) => columns.length > 0)
  const passageOf = new Map(passages.flatMap((columns) => columns.map((column) => [column, columns])))
  const places = [...all.quotable.keys()].filter((place) => columnOf.has(all.quotable[place]!))
  const columns = compared(all.quotable)
  const scores = await readTogether(question, { texts, passages }, () => crossEncoderOf(model.threads), asked)
  const ofQuotes = scores && columns.map((column) => scores[column]!)
  const cosinesTo = (groups: readonly (readonly number[])[]) =>
    words.map((word) => ({
      ...word,
      cosines: groups.map((group) => Math.max(...group.map((at) => word.cosines[at]!))),
    }))
  return {
    words,
    terms: texts.map((text) => new Set(searchTerms(text))),
    // Excludes a unit with a text that was not chosen, such as a long table of which only a part is compared.
    units: all.units.filter((unit) => unit.every((at) => columnOf.has(at))).map(compared),
    passages,
    score: ofQuotes && Math.max(NOT_READ, ...ofQuotes),
    scores: ofQuotes,
    quotes: {
      places,
      scores: ofQuotes,
      words: cosinesTo(columns.map((column) => [column])),
      inPassage: cosinesTo(columns.map((column) => passageOf.get(column)!)),
    },
  }
}

async function run(request: BuiltInRequest): Promise<BuiltInTasks[keyof BuiltInTasks]['output']> {
  switch (request.task) {
    case 'analysis':
      return analyzeExtractively(request.input)
    case 'abstract':
      return printedAbstract(request.input)
    case 'volume':
      return readPrintedVolume(request.input)
    case 'answer':
      return answer(request.input)
    case 'library':
      return answerLibrary(request.input)
    case 'phrases':
      return findSearchPhrases(request.input)
    case 'embed':
      return (await encoderOf(request.input)).embed(request.input.texts)
    case 'load':
      await encoderOf(request.input)
      return null
  }
}

const port = parentPort!
port.on('message', (request: BuiltInRequest | typeof END_MESSAGE) => {
  // The message is handled between two calls of the native library, which would abort the process if its thread ended within
  // one.
  if (request === END_MESSAGE) process.exit()
  run(request).then(
    (result) =>
      port.postMessage({ result } satisfies WorkerMessage, result instanceof Float32Array ? [result.buffer] : []),
    (error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      port.postMessage({ failure: { code: 'internal', message } } satisfies WorkerMessage)
    },
  )
})
