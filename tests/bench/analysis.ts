import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { analyzeExtractively } from '#server/ai/builtin/analysis.ts'
import { extractText } from '#server/extraction/index.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { findPassage } from '#shared/passages/find-passage.ts'
import { joinPages, splitPages } from '#shared/pdf-text/page-text.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { median, type BenchRow } from './report.ts'

const RUNS = 7
const samples = new URL('../../../shared/data/papers/', import.meta.url)
const fixture = new URL('../fixtures/paper.pdf', import.meta.url)

/**
 * Measures the built-in analysis of texts of several lengths. For comparison, measures the splitting of the same texts into
 * sentences, which is the cheapest part of the analysis.
 */
export async function run(): Promise<BenchRow[]> {
  const names = existsSync(samples) ? (await readdir(samples)).filter((name) => name.startsWith('cc-')) : []
  const files = names.length > 0 ? names.map((name) => new URL(name, samples)) : [fixture]
  const papers = await Promise.all(files.map((file) => extractText(fileURLToPath(file))))
  await stopWorkerPools()
  const pages = papers.reduce((sum, paper) => sum + paper.pageCount, 0)

  const { ours, peer } = interleaved(
    () => papers.forEach((paper) => analyzeExtractively(paper)),
    () => papers.forEach((paper) => splitSentences(paper.text)),
  )
  const rows: BenchRow[] = [
    {
      what: `built-in analysis of ${papers.length} papers (${pages} pages)`,
      measured: `${(ours / papers.length).toFixed(1)} ms a paper`,
      peer: `splitting the same texts into sentences: ${(peer / papers.length).toFixed(1)} ms a paper`,
      ratio: (ours / peer).toFixed(1),
      aim: '<= 100 ms a paper',
    },
  ]

  const longest = papers.toSorted((a, b) => b.text.length - a.text.length)[0]!
  const once = splitPages(longest.text).map((page) => page.text)
  for (const times of [1, 10, 40]) {
    const text = joinPages(Array.from({ length: times }, () => once).flat())
    const base = timed(() => analyzeExtractively({ text: longest.text }))
    const grown = timed(() => analyzeExtractively({ text }))
    rows.push({
      what: `the same on a text of ${times} × ${once.length} pages`,
      measured: `${grown.toFixed(0)} ms`,
      peer: `${times} × the time of one: ${(base * times).toFixed(0)} ms`,
      ratio: (grown / (base * times)).toFixed(2),
      aim: '<= 1',
    })
  }
  rows.push(...anchoring(joinPages(Array.from({ length: Math.ceil(300 / once.length) }, () => once).flat())))
  return rows
}

/**
 * Measures the search for one hundred quotes in a text of 300 pages: unchanged quotes, quotes with other line breaks, and
 * quotes with changed words.
 */
function anchoring(text: string): BenchRow[] {
  const sentences = splitPages(text).flatMap(({ text }) =>
    splitSentences(text)
      .map(({ start, end }) => text.slice(start, end))
      .filter((sentence) => sentence.length > 80 && sentence.length < 300),
  )
  const quotes = Array.from({ length: 100 }, (_, at) => sentences[Math.floor((at * sentences.length) / 100)] ?? '')
  const kinds = {
    'letter for letter': quotes,
    'in other case and spacing': quotes.map((quote) => quote.toUpperCase().replaceAll(' ', '\n')),
    'with changed words': quotes.map((quote) =>
      quote.replace(/\b(\w{4,})\b(?=\W+\w+\W+\w+\W+\w+$)/, 'otherwise').replace(/ /, ' quite '),
    ),
  }
  return Object.entries(kinds).map(([kind, list]) => {
    let found = 0
    const { ours, peer } = interleaved(
      () => {
        const pages = splitPages(text)
        found = list.filter((quote) => findPassage(pages, quote).match !== 'none').length
      },
      () => list.forEach((quote) => text.indexOf(`${quote}\u0000`)),
    )
    return {
      what: `100 quotes ${kind} in ${splitPages(text).length} pages`,
      measured: `${(ours / 100).toFixed(1)} ms a quote, ${found} found`,
      peer: `a bare search through the text: ${(peer / 100).toFixed(2)} ms`,
      ratio: (ours / peer).toFixed(1),
      aim: '<= 15 ms a quote',
    }
  })
}

function timed(work: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return median(times)
}

/** Runs two functions alternately, after one round to warm up. Returns the median time of each in ms. */
function interleaved(ours: () => void, peer: () => void): { ours: number; peer: number } {
  const times = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round <= RUNS; round++) {
    const began = performance.now()
    ours()
    const between = performance.now()
    peer()
    if (round === 0) continue
    times.ours.push(between - began)
    times.peer.push(performance.now() - between)
  }
  return { ours: median(times.ours), peer: median(times.peer) }
}
