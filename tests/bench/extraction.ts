import { spawnSync } from 'node:child_process'
import { READING_ERRORS } from '#server/extraction/pool-errors.ts'
import { createWorkerPool, type WorkerPool } from '#server/workers/worker-pool.ts'
import { readablePapers } from './papers.ts'
import { type BenchRow, median } from './report.ts'

const RUNS = 5

/**
 * Measures pages per second of the server's text extraction with all available papers. For comparison, alternately measures
 * pdftotext and the bare PDF engine in a worker of the same kind, which is the upper limit. Also measures the gain of a second
 * worker.
 */
export async function run(): Promise<BenchRow[]> {
  const papers = readablePapers()
  const ours = pool('../../server/extraction/text.worker.ts', 1)
  const oursTwice = pool('../../server/extraction/text.worker.ts', 2)
  const bare = pool('./bare-pdfjs.worker.ts', 1)
  const pages = await readAll(ours, papers)
  await readAll(oursTwice, papers)
  await readAll(bare, papers)
  const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined
  const speeds = { ours: [] as number[], twice: [] as number[], bare: [] as number[], pdftotext: [] as number[] }
  for (let turn = 0; turn < RUNS; turn++) {
    speeds.ours.push(await speed(pages, () => readAll(ours, papers)))
    speeds.bare.push(await speed(pages, () => readAll(bare, papers)))
    speeds.twice.push(await speed(pages * 2, () => readAll(oursTwice, [...papers, ...papers])))
    if (hasPdftotext) speeds.pdftotext.push(await speed(pages, () => papers.forEach(pdftotext)))
  }
  await Promise.all([ours, oursTwice, bare].map((one) => one.stop()))

  const what = `text extraction, ${papers.length} papers, ${pages} pages`
  const one = median(speeds.ours)
  const row = (measured: string, value: number, peer: string, peerValue: number, aim: string): BenchRow => ({
    what: `${what}, ${measured}`,
    measured: `${value.toFixed(1)} pages/s`,
    peer: `${peer}: ${peerValue.toFixed(1)} pages/s`,
    ratio: `${(value / peerValue).toFixed(2)} ×`,
    aim,
  })
  return [
    row('one worker', one, 'bare pdf.js getTextContent', median(speeds.bare), '≥ 0.9 ×'),
    row('two workers, each paper twice', median(speeds.twice), 'one worker', one, '≥ 2 × on two cores'),
    ...(hasPdftotext
      ? [row('one worker', one, 'pdftotext', median(speeds.pdftotext), 'none; it makes no reading order')]
      : []),
  ]
}

function pool(script: string, size: number): WorkerPool {
  return createWorkerPool({
    script: new URL(script, import.meta.url),
    size,
    memoryMb: 1024,
    queueLimit: 100,
    idleMs: 600_000,
    errors: READING_ERRORS,
  })
}

/** Extracts the text of the files with one task in parallel per worker of the pool. Returns the number of pages. */
async function readAll(workers: WorkerPool, paths: readonly string[]): Promise<number> {
  const read = paths.map((path) => workers.run({ path }, { timeoutMs: 300_000 }) as Promise<{ pageCount: number }>)
  return (await Promise.all(read)).reduce((sum, { pageCount }) => sum + pageCount, 0)
}

function pdftotext(path: string) {
  const { status } = spawnSync('pdftotext', [path, '-'], { stdio: ['ignore', 'ignore', 'ignore'] })
  if (status !== 0) throw new Error(`pdftotext could not read ${path}.`)
}

async function speed(pages: number, work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (pages * 1000) / (performance.now() - start)
}
