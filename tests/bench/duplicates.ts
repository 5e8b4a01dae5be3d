import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readReferences } from '#server/formats/index.ts'
import { candidateKeys, type ComparedReference, comparedReference, explainLikeness } from '#server/matching/index.ts'
import type { BenchRow } from './report.ts'

/**
 * The folder with EndNote libraries in which people have marked the duplicates (github.com/IEBH/dedupe-sweep). It is next to
 * the repository, not in it.
 */
const FOLDER = new URL('../../../shared/data/formats/duplicates/', import.meta.url)
/**
 * Maximum number of references with the same comparison key. A more frequent key is not used to find pairs; the server has the
 * same limit.
 */
const COMMON_KEY = 100

/**
 * Measures the detection of duplicates (FMT-48). Finds duplicates in libraries whose duplicates have been marked by hand, with
 * the keys and rules of the server, and compares the result with these marks.
 */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(FOLDER)) {
    console.error(`No libraries in ${FOLDER.pathname}: skipped.`)
    return []
  }
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.xml'))
  return names.flatMap((name) => measure(name, readFileSync(new URL(name, FOLDER), 'utf8')))
}

function measure(name: string, xml: string): BenchRow[] {
  const isMarked = [...xml.matchAll(/<record>(.*?)<\/record>/gs)].map(([, record]) =>
    /<caption>.*?Duplicate/s.test(record!),
  )
  const references = [...readReferences(xml, 'endnote-xml')].map(({ reference }) => reference!)
  const used = process.cpuUsage()
  const compared = references.map((reference) => comparedReference(reference))
  const pairs = pairsOf(compared)
  const { user, system } = process.cpuUsage(used)
  const share = (part: number, whole: number) => (part / whole).toFixed(3)
  return [true, false].map((onlyCertain) => {
    const found = new Set(
      pairs.filter(({ likeness }) => !onlyCertain || likeness === 'certain').flatMap(({ one, other }) => [one, other]),
    )
    const marked = isMarked.filter(Boolean).length
    const right = isMarked.filter((yes, at) => yes && found.has(at)).length
    const wrong = found.size - right
    return {
      what: `${name}, ${references.length} records: ${onlyCertain ? 'certain only' : 'certain and suspected'}`,
      measured: `sensitivity ${share(right, marked)}, specificity ${share(isMarked.length - marked - wrong, isMarked.length - marked)}`,
      peer: `${marked} records marked by hand`,
      ratio: `${wrong} false`,
      aim: onlyCertain ? '0 false' : 'sensitivity ≥ 0.970, specificity ≥ 0.985',
      note: `${Math.round((user + system) / 1000)} ms of processor time`,
    }
  })
}

function pairsOf(compared: readonly ComparedReference[]) {
  const places = compared.flatMap((one, at) => [...new Set(candidateKeys(one))].map((key) => ({ key, at })))
  const groups = [...Map.groupBy(places, ({ key }) => key).values()].filter(({ length }) => length <= COMMON_KEY)
  const candidates = new Map(
    groups.flatMap((group) =>
      group.flatMap(({ at: one }) =>
        group.filter(({ at }) => at > one).map(({ at: other }) => [`${one} ${other}`, { one, other }] as const),
      ),
    ),
  )
  return [...candidates.values()].flatMap(({ one, other }) => {
    const found = explainLikeness(compared[one]!, compared[other]!)
    return found ? [{ one, other, likeness: found.likeness }] : []
  })
}
