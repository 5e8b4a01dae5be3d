import { readFile } from 'node:fs/promises'
import type { ConversationMessage } from '#shared/contract/conversations.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer } from '#tests/helpers/server.ts'
import { readTopics, type Study, writeStudies } from './library-set/abstracts.ts'
import { ANSWERED, type LibraryKind, type LibraryQuestion, listQuestions, UNANSWERED } from './library-set/questions.ts'
import { containsGold, paperPath, readQuestionSets } from './question-sets.ts'
import { type BenchRow, median } from './report.ts'

/** The number of first sources in which the recall is measured. */
const SOURCES = 5
const JOB_LIMIT_MS = 900_000

interface Outcome {
  question: LibraryQuestion
  refused: boolean
  /** The share of the needed papers that are among the first sources, 0 to 1. */
  recall: number
  /** Number of papers that the answer quotes. */
  cited: number
  /** Number of quoted papers that answer the question. */
  citedRight: number
  hasGold: boolean | null
  quotes: number
  quotesFound: number
  seconds: number
}

/**
 * Uploads the papers of tests/bench/questions and imports invented abstracts into one project. Asks the questions of
 * tests/bench/library-set over HTTP, and compares the sources and quotes with the known correct ones (gold).
 * BENCH_HALF=development asks only this half of the questions; BENCH_MISSES=1 lists every miss.
 */
export async function run(): Promise<BenchRow[]> {
  const half = process.env['BENCH_HALF']
  const server = await startServer()
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Answers' } })
    const sets = readQuestionSets().filter(({ paper }) => paperPath(paper) !== null)
    const studies = writeStudies(readTopics())
    const keys = await fillProject(
      client,
      data.id,
      sets.map(({ paper }) => paper),
      studies,
    )
    const outcomes: Outcome[] = []
    for (const question of listQuestions(studies, sets))
      if (half === undefined || question.half === half) outcomes.push(await ask(client, data.id, question, keys))
    if (process.env['BENCH_MISSES']) outcomes.filter(isMiss).forEach(printMiss)
    return (['unseen', 'development'] as const).flatMap((part) =>
      rowsOf(
        `${part} half, ${sets.length} papers and ${studies.length} abstracts`,
        outcomes.filter(({ question }) => question.half === part),
      ),
    )
  } finally {
    await server.stop()
  }
}

/**
 * Adds the papers and the abstracts of the studies to a project. Returns the key of each document by document id: the name of a
 * paper, or the city of a study.
 */
async function fillProject(
  client: Client,
  projectId: string,
  papers: readonly string[],
  studies: readonly Study[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>()
  for (const paper of papers) {
    const file = new File([new Uint8Array(await readFile(paperPath(paper)!))], `${paper}.pdf`, {
      type: 'application/pdf',
    })
    keys.set((await client.upload(projectId, file)).id, paper)
  }
  await prepare(client, [...keys.keys()], ['extract', 'vectorize'])
  const imported = await importReferences(client, projectId, { 'studies.ris': studies.map(asRis).join('') })
  if (imported.status !== 'completed') throw new Error(`The import failed: ${imported.error}`)
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { data } = await client.json<{ data: { id: string; title: string | null }[] }>(
      api.documents({ project_id: projectId, page, limit: 100 }),
    )
    for (const { id, title } of data) {
      const study = studies.find((one) => one.title === title)
      if (study) keys.set(id, study.city)
      if (study) ids.push(id)
    }
    if (data.length < 100) break
  }
  await prepare(client, ids, ['vectorize'])
  return keys
}

async function prepare(client: Client, document_ids: string[], steps: string[]): Promise<void> {
  const { data } = await client.json<{ data: Job }>(api.documentsProcess(), { body: { document_ids, steps } })
  const job = await client.job(data.id, JOB_LIMIT_MS)
  if (job.status !== 'completed') throw new Error(`The papers were not prepared: ${job.error}`)
}

const asRis = ({ title, abstract }: Study, number: number) =>
  ['TY  - JOUR', `TI  - ${title}`, `AU  - Family${number}, Ada`, `PY  - ${1995 + (number % 30)}`, `AB  - ${abstract}`]
    .concat('ER  - ', '')
    .join('\r\n')

async function ask(
  client: Client,
  projectId: string,
  question: LibraryQuestion,
  keys: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const { data } = await client.json<{ data: { id: string } }>(api.conversations(projectId), { body: {} })
  const began = performance.now()
  const { data: message } = await client.json<{ data: ConversationMessage }>(api.conversationMessages(data.id), {
    body: { question: question.question },
  })
  const seconds = (performance.now() - began) / 1000
  const answer = message.answer!
  const evidence = answer.sentences.flatMap((one) => one.evidence)
  const cited = [...new Set(evidence.map(({ document_id }) => keys.get(document_id)))]
  const sources = new Set(cited.slice(0, SOURCES))
  const right = question.papers.filter((paper) => sources.has(paper)).length
  const needed = question.kind === 'compare' ? question.papers.length : 1
  const refused = answer.kind === 'refusal'
  const quotes = answer.sentences.map(({ text }) => text).join(' ')
  return {
    question,
    refused,
    recall: Math.min(1, right / needed),
    cited: cited.length,
    citedRight: cited.filter((paper) => question.papers.includes(paper!)).length,
    hasGold: question.gold.length === 0 ? null : !refused && containsGold(quotes, question.gold),
    quotes: answer.sentences.length,
    quotesFound: answer.sentences.filter((one) =>
      one.evidence.some(({ quote }) => normalizeWithMap(quote).text === normalizeWithMap(one.text).text),
    ).length,
    seconds,
  }
}

function rowsOf(what: string, outcomes: readonly Outcome[]): BenchRow[] {
  if (outcomes.length === 0) return []
  const ofKinds = (kinds: readonly LibraryKind[]) => outcomes.filter(({ question }) => kinds.includes(question.kind))
  const [answered, unanswered] = [ofKinds(ANSWERED), ofKinds(UNANSWERED)]
  const refused = (asked: readonly Outcome[]) => mean(asked.map((one) => (one.refused ? 1 : 0)))
  const found = answered.filter((one) => one.hasGold !== null)
  const seconds = outcomes.map((one) => one.seconds).toSorted((a, b) => a - b)
  return [
    row(`${what}: unanswerable questions refused`, refused(unanswered), '≥ 0.700; ≤ 0.050', {
      peer: `answerable questions refused ${refused(answered)}`,
      note: UNANSWERED.map((kind) => `${kind} ${refused(ofKinds([kind]))} of ${ofKinds([kind]).length}`).join('; '),
    }),
    row(
      `${what}: right papers among the first ${SOURCES} sources`,
      mean(answered.map((one) => one.recall)),
      '≥ 0.900',
      {
        note: ANSWERED.map(
          (kind) => `${kind} ${mean(ofKinds([kind]).map((one) => one.recall))} of ${ofKinds([kind]).length}`,
        ).join('; '),
      },
    ),
    row(
      `${what}: quoted papers that answer`,
      (sumOf(answered, 'citedRight') / (sumOf(answered, 'cited') || 1)).toFixed(3),
      '',
      {
        note: `${mean(answered.map((one) => one.cited))} papers per answer; unanswerable questions ${mean(unanswered.map((one) => one.cited))}`,
      },
    ),
    row(`${what}: answers with the gold words`, mean(found.map((one) => (one.hasGold ? 1 : 0))), '', {
      note: ANSWERED.flatMap((kind) => {
        const own = found.filter(({ question }) => question.kind === kind)
        return own.length === 0 ? [] : [`${kind} ${mean(own.map((one) => (one.hasGold ? 1 : 0)))} of ${own.length}`]
      }).join('; '),
    }),
    row(
      `${what}: quotes that are in their paper`,
      mean(outcomes.flatMap((one) => Array.from({ length: one.quotes }, (_, at) => (at < one.quotesFound ? 1 : 0)))),
      '1.000',
      {},
    ),
    row(`${what}: time of an answer`, `p50 ${median(seconds).toFixed(2)} s`, '≤ 1.5 s', {
      note: `p95 ${seconds[Math.floor(0.95 * seconds.length)]!.toFixed(2)} s`,
    }),
  ]
}

const row = (what: string, measured: string, aim: string, { peer = '', note = '' }): BenchRow => ({
  what,
  measured,
  peer,
  ratio: '',
  aim,
  note,
})

const mean = (values: readonly number[]) =>
  values.length === 0 ? 'none' : (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3)

const sumOf = (outcomes: readonly Outcome[], name: 'citedRight' | 'cited') =>
  outcomes.reduce((sum, one) => sum + one[name], 0)

const isMiss = ({ question, refused, recall, hasGold }: Outcome) =>
  question.papers.length === 0 ? !refused : refused || recall < 1 || hasGold === false

function printMiss({ question, refused, recall, hasGold }: Outcome): void {
  const found = refused ? 'refused' : `recall ${recall}, gold words ${hasGold === true ? 'found' : 'not found'}`
  console.error(`  ${question.id} (${question.kind}; ${found}): ${question.question}`)
}
