import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sampleFolder = fileURLToPath(new URL('../../../shared/data/papers/', import.meta.url))

/** Returns the path of a file in tests/fixtures. */
export const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

/** Returns the path of a sample paper, which is in a folder next to the checkout. Returns null if it does not exist. */
export function samplePaper(name: string): string | null {
  const path = `${sampleFolder}${name}`
  return existsSync(path) ? path : null
}

/**
 * Returns the paths of all papers to measure: the sample papers in a folder next to the checkout, if it exists, and the fixture
 * `paper.pdf`.
 */
export function readablePapers(): string[] {
  const samples = existsSync(sampleFolder) ? readdirSync(sampleFolder) : []
  if (samples.length === 0) console.error(`No sample papers at ${sampleFolder}: only the fixture is measured.`)
  const chosen = samples.filter((name) => name.startsWith('cc-') && name.endsWith('.pdf'))
  return [...chosen.map((name) => `${sampleFolder}${name}`), fixture('paper.pdf')]
}
