import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Citation, CiteItem } from 'citeproc'
import type { Item } from '#server/citations/cite.ts'
import { format, listStyles } from '#server/citations/format.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { safeHtml } from '#server/citations/safe-html.ts'
import type { BenchRow } from './report.ts'

/** The folder with the fixtures of github.com/citation-style-language/test-suite. It is next to the repository, not in it. */
const FOLDER = new URL('../../../shared/data/formats/csl/', import.meta.url)
/**
 * The fixtures belong alternately to these halves. The report lists the failed fixtures of 'development', but only counts those
 * of 'unseen', so that the code is not fitted to them.
 */
const HALVES = ['development', 'unseen'] as const

const AUTHORS = ['Marlowe', 'Okafor', 'Lindqvist', 'Ferreira', 'Castellane']
const paper = (at: number): Item => ({
  id: `paper-${at}`,
  type: 'article-journal',
  title: `Study ${at} of sleep and memory`,
  author: [
    { family: `${AUTHORS[at % 5]}${at % 50}`, given: 'Ines' },
    { family: AUTHORS[(at + 1) % 5]!, given: 'T.' },
  ],
  issued: { 'date-parts': [[2000 + (at % 25)]] },
  'container-title': 'Journal of Sleep',
  volume: String(at % 40),
  page: `${at}-${at + 9}`,
  DOI: `10.5555/${at}`,
})

/**
 * Measures citations: the number of passed fixtures of the CSL test suite, the number of usable styles, and the time to format
 * 500 papers in APA style in the worker.
 */
export async function run(): Promise<BenchRow[]> {
  try {
    return [...(await measure()), ...(await runFixtures()), await runStyles()]
  } finally {
    await stopWorkerPools()
  }
}

async function runFixtures(): Promise<BenchRow[]> {
  if (!existsSync(FOLDER)) {
    console.error(`No fixtures in ${FOLDER.pathname}: skipped.`)
    return []
  }
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
  const rows: BenchRow[] = []
  for (const [rest, half] of HALVES.entries()) {
    const chosen = names.filter((_, at) => at % 2 === rest)
    const failed: string[] = []
    for (const name of chosen) {
      const fixture = readFixture(readFileSync(new URL(name, FOLDER), 'utf8'))
      const expected = expectedOf(fixture)
      const result = await resultOf(fixture).catch((error: unknown) => String(error))
      if (result === expected) continue
      failed.push(name)
      if (half === 'development' && process.env['BENCH_MISSES'])
        console.error(`${name}\n  expected ${JSON.stringify(expected)}\n  received ${JSON.stringify(result)}`)
    }
    const passed = chosen.length - failed.length
    rows.push({
      what: `CSL fixtures, ${half} half`,
      measured: `${passed} of ${chosen.length}`,
      peer: 'citeproc-js in a plain harness: 833 of 845',
      ratio: `${((100 * passed) / chosen.length).toFixed(1)} %`,
      aim: '≥ 98.5 %',
      ...(half === 'development' ? { note: `failed: ${failed.join(', ') || 'none'}` } : {}),
    })
  }
  return rows
}

type Fixture = Record<string, string>

/** Returns the sections of a fixture file, by section name. */
const readFixture = (text: string): Fixture =>
  Object.fromEntries(
    [...text.matchAll(/>>=+ *([A-Z0-9-]+) *=+>>\n([\s\S]*?)\n<<=/g)].map(([, name, body]) => [name!, body!.trim()]),
  )

/**
 * Normalizes HTML for the comparison: removes the markers of citations, and sanitizes the HTML as the server does with its
 * results.
 */
const plain = (html: string) =>
  safeHtml(html)
    .split('\n')
    .map((line) => line.replace(/^(?:\.\.|&gt;&gt;)\[\d+\] /, '').trim())
    .filter(Boolean)
    .join('\n')
const expectedOf = ({ RESULT = '' }: Fixture) => plain(RESULT)

async function resultOf({ MODE, CSL = '', INPUT = '[]', ...more }: Fixture): Promise<string> {
  const items = (JSON.parse(INPUT) as (Omit<Item, 'id'> & { id: string | number })[]).map((item) => ({
    ...item,
    id: String(item.id),
  }))
  const clusters = more['CITATION-ITEMS'] && (JSON.parse(more['CITATION-ITEMS']) as CiteItem[][])
  const steps =
    more['CITATIONS'] && (JSON.parse(more['CITATIONS']) as [Citation, [string, number?][], [string, number?][]][])
  const { intext, bibliography } = await format({
    items,
    style: { xml: CSL },
    output: 'html',
    ...(clusters ? { citations: clusters } : steps ? { citations: inOrder(steps) } : {}),
  })
  return plain(
    MODE === 'citation' ? intext.join('\n') : `<div class="csl-bib-body">\n${bibliography.join('\n')}\n</div>`,
  )
}

/**
 * Returns the citations of a CSL fixture in their order in the document. Each step of a fixture inserts or changes one
 * citation, and lists the citations before and after it; the result is the state after the last step.
 */
function inOrder(steps: [Citation, [string, number?][], [string, number?][]][]): Citation[] {
  const byId = new Map(steps.map(([citation]) => [citation.citationID, citation]))
  const [last, before, after] = steps.at(-1)!
  // The last step has the note of each citation, which can differ from an earlier one.
  const inNote = ([id, noteIndex]: [string, number?]) => {
    const citation = byId.get(id)
    return citation && noteIndex !== undefined
      ? { ...citation, properties: { ...citation.properties, noteIndex } }
      : citation
  }
  return [...before.map(inNote), last, ...after.map(inNote)].filter((one) => one !== undefined)
}

async function runStyles(): Promise<BenchRow> {
  const { styles } = await listStyles()
  const items = [paper(1), { ...paper(2), type: 'book' as const }, { ...paper(3), type: 'paper-conference' as const }]
  const failed: string[] = []
  for (const { id } of styles) {
    const result = await format({ items, style: id, output: 'html' }).catch(() => null)
    if (!result?.intext[0]) failed.push(id)
  }
  return {
    what: 'styles that format three papers',
    measured: `${styles.length - failed.length}`,
    peer: `${styles.length} styles of the package`,
    ratio: `${((100 * (styles.length - failed.length)) / styles.length).toFixed(2)} %`,
    aim: '100 %',
    note: `failed: ${failed.join(', ') || 'none'}`,
  }
}

async function measure(): Promise<BenchRow[]> {
  await stopWorkerPools()
  const timed = async (items: Item[], style: string) => {
    const [start, used] = [performance.now(), process.cpuUsage()]
    await format({ items, style, output: 'html' })
    const { user, system } = process.cpuUsage(used)
    return { wall: performance.now() - start, busy: (user + system) / 1000 }
  }
  const many = Array.from({ length: 500 }, (_, at) => paper(at))
  const cold = await timed([paper(1)], 'apa')
  const others = []
  for (const style of ['vancouver', 'ieee', 'nature', 'cell', 'chicago-author-date'])
    others.push(await timed([paper(1)], style))
  const cached = await timed([paper(1)], 'apa')
  const large = await timed(many, 'apa')
  const row = (what: string, { wall, busy }: typeof cold, aim: number): BenchRow => ({
    what,
    measured: `${Math.round(wall)} ms, ${Math.round(busy)} ms of processor time`,
    peer: `${aim} ms`,
    ratio: `${(wall / aim).toFixed(2)}; ${(busy / aim).toFixed(2)} of processor time`,
    aim: '≤ 1',
  })
  return [
    row('first citation, new worker', cold, 300),
    row('first citation in another style, median of five', others.toSorted((a, b) => a.busy - b.busy)[2]!, 300),
    row('next citation', cached, 300),
    row('500 papers in APA', large, 3000),
  ]
}
