import { api } from '#shared/contract/paths.ts'
import { signUp, startServer } from '#tests/helpers/server.ts'
import { askPaper, PLACES, within, type Outcome } from './ask-paper.ts'
import { ANSWERABLE, paperPath, readQuestionSets } from './question-sets.ts'
import type { BenchRow } from './report.ts'

/**
 * Uploads, extracts and vectorizes every paper of tests/bench/questions, asks all its questions over HTTP, and compares the
 * sources and the answer with the gold quote and gold words. If no searchable chunk contains the gold quote, this is a miss.
 * Reports each half, and real and invented papers, separately. BENCH_HALF=development asks only this half; BENCH_MISSES=1 lists
 * every miss.
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

const share = (outcomes: readonly Outcome[], holds: (outcome: Outcome) => boolean) =>
  outcomes.length === 0 ? 'none' : (outcomes.filter(holds).length / outcomes.length).toFixed(3)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const isMiss = ({ question, place, hasGold, refused }: Outcome) =>
  question.kind === 'unanswerable' ? !refused : place < 0 || hasGold === false || refused

function printMiss({ question, place, hasGold, refused }: Outcome): void {
  const found = refused ? 'refused' : `place ${place}, gold words ${hasGold === true ? 'found' : 'not found'}`
  console.error(`  ${question.id} (${question.kind}; ${found}): ${question.question}`)
}
