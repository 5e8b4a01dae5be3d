import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { signUp, startServer } from '#tests/helpers/server.ts'
import { analyzeExtractively } from '#server/ai/builtin/analysis.ts'
import { embedSentences } from '#server/ai/builtin/embeddings.ts'
import { extractText } from '#server/extraction/index.ts'
import { chunkText } from '#server/texts/chunk-text.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { median, type BenchRow } from './report.ts'

const RUNS = 5
const thirteenPages = new URL('../../../shared/data/papers/cc-acm-2024-keim.pdf', import.meta.url)
const paper = existsSync(thirteenPages) ? thirteenPages : new URL('../fixtures/paper.pdf', import.meta.url)

/**
 * Measures the main workflow with the built-in models: the time over HTTP from the upload of a paper to the first answer. For
 * comparison, measures the sum of its steps when they are called directly in this process.
 */
export async function run(): Promise<BenchRow[]> {
  const bytes = new Uint8Array(await readFile(paper))
  const server = await startServer()
  const whole: number[] = []
  const bare: number[] = []
  const steps: Record<string, number[]> = { upload: [], extract: [], analyze: [], vectorize: [], answer: [] }
  try {
    const client = await signUp(server.url)
    const project = (await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })).data.id
    const work = async (path: string, body: unknown) => {
      const { data } = await client.json<{ data: Job }>(path, { body })
      const ended = await client.job(data.id)
      if (ended.status !== 'completed') throw new Error(`${path}: ${ended.error}`)
    }
    // The first round warms up the workers of both and is not counted.
    for (let round = 0; round <= RUNS; round++) {
      const began = performance.now()
      const timed = async <T>(step: string, part: Promise<T>) => {
        const from = performance.now()
        const result = await part
        if (round > 0) steps[step]!.push(performance.now() - from)
        return result
      }
      const { id } = await timed(
        'upload',
        client.upload(project, new File([bytes], 'paper.pdf', { type: 'application/pdf' })),
      )
      await timed('extract', work(api.documentExtract(id), { method: 'text' }))
      await timed('analyze', work(api.documentAnalyze(id), {}))
      await timed('vectorize', work(api.documentVectorize(id), {}))
      await timed('answer', client.json(api.documentChat(id), { body: { question: 'What did the study find?' } }))
      const took = performance.now() - began
      const parts = await bareParts()
      if (round > 0) {
        whole.push(took)
        bare.push(parts)
      }
    }
  } finally {
    await server.stop()
  }
  const [ours, parts] = [median(whole), median(bare)]
  return [
    {
      what: `upload to first answer, ${paper.pathname.split('/').at(-1)}, built-in models`,
      measured: `${(ours / 1000).toFixed(2)} s`,
      peer: `sum of the bare parts ${(parts / 1000).toFixed(2)} s`,
      ratio: (ours / parts).toFixed(2),
      aim: '<= 1.2 and < 5 s',
      note: Object.entries(steps)
        .map(([step, values]) => `${step} ${Math.round(median(values))} ms`)
        .join(', '),
    },
  ]
}

/** Calls extraction, analysis and the embedding of every sentence directly, one after another. Returns the total time in ms. */
async function bareParts(): Promise<number> {
  const began = performance.now()
  const { text, metadata, firstPage } = await extractText(fileURLToPath(paper))
  analyzeExtractively({ text, metadata, firstPage })
  const pages = new Map(splitPages(text).map((page) => [page.page, page.text]))
  await embedSentences(
    chunkText([...pages].map(([page, words]) => `[Page ${page}]\n${words}`).join('\n\n')).flatMap((chunk) =>
      splitSentences(chunk.content).map(({ start, end }) => chunk.content.slice(start, end)),
    ),
  )
  await embedSentences(['What did the study find?'])
  return performance.now() - began
}
