import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sampleFolder = fileURLToPath(new URL('../../../shared/data/papers/', import.meta.url))

/** A file of tests/fixtures. */
export const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

/** Returns a sample paper beside the checkout, or null. */
export function samplePaper(name: string): string | null {
  const path = `${sampleFolder}${name}`
  return existsSync(path) ? path : null
}

/** Returns all available readable papers: the samples beside the checkout, and the fixture paper. */
export function readablePapers(): string[] {
  const samples = existsSync(sampleFolder) ? readdirSync(sampleFolder) : []
  if (samples.length === 0) console.error(`No sample papers at ${sampleFolder}: only the fixture is measured.`)
  const chosen = samples.filter((name) => name.startsWith('cc-') && name.endsWith('.pdf'))
  return [...chosen.map((name) => `${sampleFolder}${name}`), fixture('paper.pdf')]
}
