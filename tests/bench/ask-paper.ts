import { readFile } from 'node:fs/promises'
import { bm25, indexTexts } from '#server/texts/index.ts'
import { chunkText } from '#server/texts/chunk-text.ts'
import { NO_PASSAGES_ANSWER, type ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import type { Client } from '#tests/helpers/client.ts'
import { containsGold, type AnswerableQuestion, type Question, type QuestionSet } from './question-sets.ts'

/** The gold quote (the passage that answers the question) counts as found if it is in one of the first PLACES sources. */
export const PLACES = 3
const REFUSAL = /^I could not find an answer to this in the paper\b/
/**
 * Matches an answer in which a provider's model says in its own words that the text does not answer the question. Covers the
 * languages of the questions. Only answers of one or two sentences are tested.
 */
const PROVIDER_REFUSAL = new RegExp(
  [
    /\b(does|do|did|is|are|was|were|has|have|can|could)(n['’]t| not|not)\b.{0,60}\b(say|state|mention|specif|contain|provide|report|answer|give|given|include|indicate|describe|discuss|address|hold|find|found|determine)/,
    /\b(no (information|mention|answer|data)|never mentions?|not (mentioned|stated|specified|reported|provided|given))\b/,
    /\bne (mentionne|précise|dit|contient|fournit|donne|permet|répond|indique)\b.{0,20}\bpas\b|\baucune (information|mention)\b/,
    /\bno (menciona|indica|dice|contiene|especifica|proporciona|responde|informa)\b|\bninguna información\b/,
    /\b(nicht|keine?n?)\b.{0,60}\b(erwähn|genannt|angegeben|Angabe|Information|Antwort|enthalten|beantwort|hervor)/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'iu',
)
const MOST_REFUSAL_SENTENCES = 2
const JOB_LIMIT_MS = 600_000

export interface Outcome {
  set: QuestionSet
  question: Question
  refused: boolean
  /**
   * Position from 0 of the first displayed source that contains the gold quote (the passage that answers); -1 if it is not
   * in the first PLACES sources.
   */
  place: number
  /**
   * Position from 0 of the first chunk that contains the gold quote if all chunks except references are sorted by BM25 only;
   * -1 if it is not in the first PLACES chunks.
   */
  bm25Place: number
  /**
   * Whether the answer contains all gold words, which a correct answer contains. Null: the gold words are unknown, or the
   * paper does not answer the question.
   */
  hasGold: boolean | null
  /** `quotes`: the number of quotes in the answer. `quotesOnPage`: the number of these quotes that are on the cited page. */
  quotes: number
  quotesOnPage: number
  /**
   * `sentences`: the number of sentences of the answer, without messages of Lectern. `sentencesFound`: the number of these
   * sentences for which a passage in the text was found.
   */
  sentences: number
  sentencesFound: number
  /** Seconds from the question to the end of the answer. */
  seconds: number
}

/**
 * Uploads, extracts and vectorizes the PDF at `path`, and asks the questions of its set over HTTP. Calls `onAnswer` after each
 * answer. Throws if a job or an answer fails.
 */
export async function askPaper(
  client: Client,
  project: string,
  set: QuestionSet,
  path: string,
  onAnswer: () => void = () => {},
): Promise<Outcome[]> {
  const file = new File([new Uint8Array(await readFile(path))], `${set.paper}.pdf`, { type: 'application/pdf' })
  const { id } = await client.upload(project, file)
  await work(client, api.documentExtract(id), { method: 'text' })
  await work(client, api.documentVectorize(id), {})
  const { data } = await client.json<{ data: DocumentDetail }>(api.document(id))
  const text = data.extracted_text!
  const pages = new Map(splitPages(text).map((page) => [page.page, letters(page.text)]))
  const chunks = chunkText(text)
    .filter(({ isReference }) => !isReference)
    .map(({ content }) => content)
  const index = indexTexts(chunks)
  const outcomes: Outcome[] = []
  for (const question of set.questions) {
    const body = { question: question.question }
    const began = performance.now()
    const { data: answer } = await client.json<{ data: ChatAnswer }>(api.documentChat(id), { body })
    const seconds = (performance.now() - began) / 1000
    const refused = isRefusal(answer)
    const cited = refused ? [] : answer.statements.filter(({ passages }) => passages.length > 0)
    const quotes = refused ? [] : quotesOf(answer)
    const byWords = bm25(index, question.question).map(({ score }, at) => ({ score, content: chunks[at]! }))
    outcomes.push({
      set,
      question,
      refused,
      place: placeOf(
        question,
        answer.sources.map(({ content }) => content),
      ),
      bm25Place: placeOf(
        question,
        byWords.toSorted((a, b) => b.score - a.score).map(({ content }) => content),
      ),
      hasGold: question.kind === 'unanswerable' ? null : hasGold(question, refused ? '' : answer.answer),
      quotes: quotes.length,
      quotesOnPage: quotes.filter(({ quote, page }) => pages.get(page)?.includes(letters(quote))).length,
      sentences: cited.length,
      sentencesFound: cited.filter(({ passages }) => passages.some(({ match }) => match !== 'none')).length,
      seconds,
    })
    onAnswer()
  }
  return outcomes
}

async function work(client: Client, path: string, body: unknown): Promise<void> {
  const { data } = await client.json<{ data: { id: string } }>(path, { body })
  const job = await client.job(data.id, JOB_LIMIT_MS)
  if (job.status !== 'completed') throw new Error(`${path}: ${job.error}`)
}

const letters = (text: string) => normalizeWithMap(text).text

function placeOf(question: Question, passages: readonly string[]): number {
  if (question.kind === 'unanswerable') return -1
  const wanted = letters(question.quote)
  return passages.slice(0, PLACES).findIndex((content) => letters(content).includes(wanted))
}

const hasGold = ({ gold }: AnswerableQuestion, answer: string): boolean | null =>
  gold.length === 0 ? null : containsGold(answer, gold)

/** Returns true if the answer says that the paper does not answer the question. */
function isRefusal({ answer, model, statements }: ChatAnswer): boolean {
  if (answer.trim() === NO_PASSAGES_ANSWER || REFUSAL.test(answer)) return true
  return model !== BUILT_IN_MODEL.id && statements.length <= MOST_REFUSAL_SENTENCES && PROVIDER_REFUSAL.test(answer)
}

/**
 * Returns the share (0 to 1) of the outcomes whose gold quote is in the first `places` sources. `by`: the displayed order or
 * the BM25 order.
 */
export const within = (asked: readonly Outcome[], places: number, by: 'place' | 'bm25Place' = 'place') =>
  asked.filter((one) => one[by] >= 0 && one[by] < places).length / asked.length

/** Returns the quotes of an answer of the built-in model. Each quote is on a line of its own: “…” [p. 4]. */
const quotesOf = ({ answer }: ChatAnswer) =>
  [...answer.matchAll(/“(.+)” \[p\. (\d+)\]/g)].map(([, quote, page]) => ({ quote: quote!, page: Number(page) }))
