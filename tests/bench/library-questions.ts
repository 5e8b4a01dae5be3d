import { readFile } from 'node:fs/promises'
import type { LibrarySearch } from '#shared/contract/library-search.ts'
import { api } from '#shared/contract/paths.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { type Client, signUp, startServer } from '#tests/helpers/server.ts'
import { type AnswerableQuestion, paperPath, readQuestionSets } from './question-sets.ts'
import type { BenchRow } from './report.ts'

const LISTED = 10
const JOB_LIMIT_MS = 600_000

interface Outcome {
  half: 'development' | 'unseen'
  kind: AnswerableQuestion['kind']
  /**
   * Positions in the results, from 0; -1 if not listed. `place`: the first passage that contains the gold quote (the passage
   * that answers). `paper`: the first passage of the paper that answers.
   */
  place: number
  paper: number
}

/**
 * Uploads all papers of tests/bench/questions to one project, searches for each of their questions over HTTP, and checks
 * whether the results contain the gold quote (the passage that answers). The questions do not contain the title of their paper.
 */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer()
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Questions' } })
    const sets = readQuestionSets().flatMap((set) => {
      const path = paperPath(set.paper)
      return path ? [{ ...set, path }] : []
    })
    const ids: string[] = []
    for (const { paper, path } of sets) {
      const file = new File([new Uint8Array(await readFile(path))], `${paper}.pdf`, { type: 'application/pdf' })
      ids.push((await client.upload(data.id, file)).id)
    }
    const work = await client.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: ids, steps: ['extract', 'vectorize'] },
    })
    await client.job(work.data.id, JOB_LIMIT_MS)
    const outcomes: Outcome[] = []
    for (const [index, { half, questions }] of sets.entries())
      for (const question of questions)
        if (question.kind !== 'unanswerable')
          outcomes.push({ half, kind: question.kind, ...(await search(client, data.id, ids[index]!, question)) })
    return rowsOf(outcomes, sets.length)
  } finally {
    await server.stop()
  }
}

async function search(client: Client, project_id: string, id: string, { question, quote }: AnswerableQuestion) {
  const { data } = await client.json<LibrarySearch>(
    api.search({ q: question.slice(0, 500), project_id, limit: LISTED }),
  )
  const gold = normalizeWithMap(quote).text
  const holds = (content: string) => normalizeWithMap(content).text.includes(gold)
  return {
    place: data.findIndex((hit) => hit.document_id === id && holds(hit.content)),
    paper: data.findIndex((hit) => hit.document_id === id),
  }
}

function rowsOf(outcomes: readonly Outcome[], papers: number): BenchRow[] {
  const within = (asked: readonly Outcome[], name: 'place' | 'paper', places: number) =>
    (asked.filter((one) => one[name] >= 0 && one[name] < places).length / asked.length).toFixed(3)
  return (['unseen', 'development'] as const).flatMap((half) =>
    [...new Set(outcomes.map(({ kind }) => kind))].map((kind) => {
      const asked = outcomes.filter((one) => one.half === half && one.kind === kind)
      return {
        what: `${half} half: ${kind}, search over ${papers} papers`,
        measured: `passage: hit@1 ${within(asked, 'place', 1)}, hit@3 ${within(asked, 'place', 3)}, hit@10 ${within(asked, 'place', LISTED)}`,
        peer: '',
        ratio: '',
        aim: 'paper@5 ≥ 0.900',
        note: `paper@1 ${within(asked, 'paper', 1)}, paper@5 ${within(asked, 'paper', 5)}; ${asked.length} questions`,
      }
    }),
  )
}
