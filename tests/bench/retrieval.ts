import { readFile } from 'node:fs/promises'
import { bm25, indexTexts } from '#server/texts/index.ts'
import { chunkText } from '#server/texts/chunk-text.ts'
import { NO_PASSAGES_ANSWER, type ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { normaliseWithMap } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'
import { type Client, signUp, startServer } from '#tests/helpers/server.ts'
import {
  ANSWERABLE,
  containsGold,
  paperPath,
  readQuestionSets,
  type AnswerableQuestion,
  type Question,
  type QuestionSet,
} from './question-sets.ts'
import type { BenchRow } from './report.ts'

/** Passages that may have the gold quote. */
const PLACES = 3
const REFUSAL = /^I could not find an answer to this in the paper\b/
const JOB_LIMIT_MS = 600_000

interface Outcome {
  set: QuestionSet
  question: Question
  refused: boolean
  /** Place of the first source with the gold quote in the order of the screen, from 0; -1 without one. */
  place: number
  /** The same for BM25 alone. */
  bm25Place: number
  /** The answer contains all gold words. Null: the gold words are unknown. */
  hasGold: boolean | null
  /** Quotes of the answer, and those of them that are on the page that the answer names. */
  quotes: number
  quotesOnPage: number
}

/**
 * Uploads, extracts and vectorizes every paper of tests/bench/questions, asks all its questions over HTTP, and compares the
 * sources and the answer with the gold. A gold quote that is in no searchable chunk is a miss. Reports each half, and real and
 * invented papers separately. BENCH_HALF=development asks only that half, BENCH_MISSES=1 lists every miss.
 */
export async function run(): Promise<BenchRow[]> {
  const half = process.env['BENCH_HALF']
  const sets = readQuestionSets().filter((set) => half === undefined || set.half === half)
  const server = await startServer()
  const outcomes: Outcome[] = []
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Retrieval' } })
    for (const set of sets) {
      const path = paperPath(set.paper)
      if (path) outcomes.push(...(await askPaper(client, data.id, set, path)))
      else console.error(`  skipped: ${set.paper} is not on this machine (${set.questions.length} questions)`)
    }
  } finally {
    await server.stop()
  }
  if (process.env['BENCH_MISSES']) outcomes.filter(isMiss).forEach(printMiss)
  return (['invented', 'real'] as const).flatMap((origin) =>
    (['unseen', 'development'] as const).flatMap((part) =>
      rowsOf(
        `${part} half, ${origin} papers`,
        outcomes.filter(({ set }) => set.origin === origin && set.half === part),
      ),
    ),
  )
}

async function askPaper(client: Client, project: string, set: QuestionSet, path: string): Promise<Outcome[]> {
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
    const { data: answer } = await client.json<{ data: ChatAnswer }>(api.documentChat(id), { body })
    const refused = answer.answer.trim() === NO_PASSAGES_ANSWER || REFUSAL.test(answer.answer)
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
    })
  }
  return outcomes
}

async function work(client: Client, path: string, body: unknown): Promise<void> {
  const { data } = await client.json<{ data: { id: string } }>(path, { body })
  const job = await client.job(data.id, JOB_LIMIT_MS)
  if (job.status !== 'completed') throw new Error(`${path}: ${job.error}`)
}

const letters = (text: string) => normaliseWithMap(text).text

function placeOf(question: Question, passages: readonly string[]): number {
  if (question.kind === 'unanswerable') return -1
  const wanted = letters(question.quote)
  return passages.slice(0, PLACES).findIndex((content) => letters(content).includes(wanted))
}

const hasGold = ({ gold }: AnswerableQuestion, answer: string): boolean | null =>
  gold.length === 0 ? null : containsGold(answer, gold)

/** The quotes of an answer of the built-in model, one on a line: “…” [p. 4]. */
const quotesOf = ({ answer }: ChatAnswer) =>
  [...answer.matchAll(/“(.+)” \[p\. (\d+)\]/g)].map(([, quote, page]) => ({ quote: quote!, page: Number(page) }))

function rowsOf(what: string, outcomes: readonly Outcome[]): BenchRow[] {
  if (outcomes.length === 0) return []
  const answerable = outcomes.filter(({ question }) => question.kind !== 'unanswerable')
  const without = outcomes.filter(({ question }) => question.kind === 'unanswerable')
  const byKind = ANSWERABLE.flatMap((kind) => {
    const asked = answerable.filter(({ question }) => question.kind === kind)
    return asked.length === 0 ? [] : [kindRow(`${what}: ${kind}`, asked)]
  })
  const quotes = sum(outcomes.map((one) => one.quotes))
  return [
    ...byKind,
    {
      what: `${what}: unanswerable questions refused`,
      measured: share(without, ({ refused }) => refused),
      peer: `answerable questions refused ${share(answerable, ({ refused }) => refused)}`,
      ratio: '',
      aim: '≥ 0.700; ≤ 0.020',
      note: `${without.length} and ${answerable.length} questions`,
    },
    {
      what: `${what}: quotes on the stated page`,
      measured: quotes === 0 ? 'none' : (sum(outcomes.map((one) => one.quotesOnPage)) / quotes).toFixed(3),
      peer: '',
      ratio: '',
      aim: '1.000',
      note: `${quotes} quotes`,
    },
  ]
}

const AIMS: Partial<Record<(typeof ANSWERABLE)[number], string>> = {
  direct: 'hit@3 ≥ 0.970, answers ≥ 0.900',
  reworded: 'hit@3 ≥ 0.620, answers ≥ 0.450',
}

function kindRow(what: string, asked: readonly Outcome[]): BenchRow {
  const known = asked.filter(({ hasGold }) => hasGold !== null)
  const [ours, words] = [within(asked, PLACES), within(asked, PLACES, 'bm25Place')]
  return {
    what,
    measured: `hit@1 ${within(asked, 1).toFixed(3)}, hit@3 ${ours.toFixed(3)}, answers with the gold words ${share(known, ({ hasGold }) => hasGold === true)}`,
    peer: `BM25 alone: hit@3 ${words.toFixed(3)}`,
    ratio: (ours / words).toFixed(2),
    aim: AIMS[asked[0]!.question.kind as keyof typeof AIMS] ?? '',
    note: `${asked.length} questions`,
  }
}

const within = (asked: readonly Outcome[], places: number, by: 'place' | 'bm25Place' = 'place') =>
  asked.filter((one) => one[by] >= 0 && one[by] < places).length / asked.length

const share = (outcomes: readonly Outcome[], holds: (outcome: Outcome) => boolean) =>
  outcomes.length === 0 ? 'none' : (outcomes.filter(holds).length / outcomes.length).toFixed(3)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const isMiss = ({ question, place, hasGold, refused }: Outcome) =>
  question.kind === 'unanswerable' ? !refused : place < 0 || hasGold === false || refused

function printMiss({ question, place, hasGold, refused }: Outcome): void {
  const found = refused ? 'refused' : `place ${place}, gold words ${hasGold === true ? 'found' : 'not found'}`
  console.error(`  ${question.id} (${question.kind}; ${found}): ${question.question}`)
}
