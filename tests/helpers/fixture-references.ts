import { readFileSync } from 'node:fs'
import { openReferences, readReferences } from '#server/formats/index.ts'

/** Parses a file of tests/fixtures/references with the functions of an import. Returns its records. */
export function fixtureRecords(name: string) {
  const { text, format } = openReferences(readFileSync(new URL(`../fixtures/references/${name}`, import.meta.url)))
  return [...readReferences(text, format)]
}

/** Returns the references of a file of tests/fixtures/references. Records that cannot be parsed are skipped. */
export const fixtureReferences = (name: string) =>
  fixtureRecords(name).flatMap(({ reference }) => (reference ? [reference] : []))
