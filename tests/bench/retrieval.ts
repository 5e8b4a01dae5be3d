import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { stopBuiltIn } from '#server/ai/builtin-pool.ts'
import { embedSentences } from '#server/ai/builtin/embeddings.ts'
import { extractText, stopExtraction } from '#server/extraction/index.ts'
import type { Candidate } from '#server/texts/blend.ts'
import { bm25, indexTexts } from '#server/texts/bm25.ts'
import { choosePassages } from '#server/texts/choose-passages.ts'
import { chunkText } from '#server/texts/chunk-text.ts'
import { planSentences } from '#server/texts/plan-sentences.ts'
import { normaliseWithMap } from '#shared/passages/find-passage.ts'
import type { BenchRow } from './report.ts'

/** Passages a question may have; a hit is a gold quotation in one of them. */
const PLACES = 3
const ROOT = new URL('../../', import.meta.url)
const SAMPLES = new URL('../shared/data/papers/', ROOT)

/** Each question asks for the place of `quote`, once in the paper's words and once in others'. The weights were set on 'tuned'. */
const questionSet = z.array(
  z.object({
    paper: z.string(),
    half: z.enum(['tuned', 'held out']),
    questions: z.array(z.object({ page: z.number(), quote: z.string(), own: z.string(), reworded: z.string() })),
  }),
)

const KINDS = { own: 'in the paper’s words', reworded: 'reworded' } as const
type Kind = keyof typeof KINDS
type Ranker = 'ours' | 'bm25' | 'vectors'
interface Outcome {
  kind: Kind
  half: string
  hit: Record<Ranker, boolean>
}

/** hit@3 inside one paper, against BM25 alone and against the vectors alone, on all papers and on those not tuned on. */
export async function run(): Promise<BenchRow[]> {
  const set = questionSet.parse(
    JSON.parse(await readFile(new URL('retrieval-questions.json', import.meta.url), 'utf8')),
  )
  const outcomes: Outcome[] = []
  for (const { paper, half, questions } of set) {
    const file = paper.includes('/') ? new URL(paper, ROOT) : new URL(paper, SAMPLES)
    if (existsSync(file)) outcomes.push(...(await askPaper(fileURLToPath(file), half, questions)))
    else console.error(`  ${paper} is not here: its questions are left out`)
  }
  await Promise.all([stopBuiltIn(), stopExtraction()])
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => [
    row(
      `hit@3, questions ${KINDS[kind]}, all papers`,
      outcomes.filter((one) => one.kind === kind),
    ),
    row(
      `hit@3, questions ${KINDS[kind]}, papers held out`,
      outcomes.filter((one) => one.kind === kind && one.half === 'held out'),
    ),
  ])
}

async function askPaper(
  path: string,
  half: string,
  questions: z.infer<typeof questionSet>[number]['questions'],
): Promise<Outcome[]> {
  const chunks = chunkText((await extractText(path)).text).filter(({ isReference }) => !isReference)
  const plans = chunks.map(planSentences)
  const vectors = await embedSentences(
    chunks.flatMap(({ content, pageOffset }, at) =>
      plans[at]!.map(({ start, end }) => content.slice(start - pageOffset, end - pageOffset)),
    ),
  )
  const index = indexTexts(chunks.map(({ content }) => content))
  const outcomes: Outcome[] = []
  for (const { quote, ...asked } of questions) {
    const wanted = normaliseWithMap(quote).text
    const gold = new Set(
      chunks.flatMap(({ content }, at) => (normaliseWithMap(content).text.includes(wanted) ? [at] : [])),
    )
    if (gold.size === 0) throw new Error(`No chunk of ${path} holds “${quote}”.`)
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const [vector] = await embedSentences([asked[kind]])
      let next = 0
      const candidates: Candidate[] = chunks.map(({ content, pageOffset }, at) => ({
        content,
        pageOffset,
        sentences: plans[at]!.map((span) => ({ ...span, similarity: dot(vectors[next++]!, vector!) })),
      }))
      const isHit = (order: readonly number[]) => order.slice(0, PLACES).some((at) => gold.has(at))
      outcomes.push({
        kind,
        half,
        hit: {
          ours: isHit(choosePassages(asked[kind], candidates, PLACES, 0.3).map((one) => one.index)),
          bm25: isHit(best(bm25(index, asked[kind]).map(({ score }) => score))),
          vectors: isHit(
            best(candidates.map(({ sentences }) => Math.max(-1, ...sentences.map(({ similarity }) => similarity)))),
          ),
        },
      })
    }
  }
  return outcomes
}

function row(what: string, outcomes: readonly Outcome[]): BenchRow {
  const share = (ranker: Ranker) => outcomes.filter(({ hit }) => hit[ranker]).length / outcomes.length
  const peers = { bm25: share('bm25'), vectors: share('vectors') }
  return {
    what,
    measured: share('ours').toFixed(3),
    peer: `BM25 alone ${peers.bm25.toFixed(3)}, vectors alone ${peers.vectors.toFixed(3)}`,
    ratio: (share('ours') / Math.max(peers.bm25, peers.vectors)).toFixed(2),
    aim: 'better than both',
    note: `${outcomes.length} questions`,
  }
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)

const best = (scores: readonly number[]) =>
  scores
    .map((score, at) => ({ score, at }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .map(({ at }) => at)
