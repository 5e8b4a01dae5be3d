import { readFileSync } from 'node:fs'
import { openReferences, readReferences } from '#server/formats/index.ts'

/** Reads a file of tests/fixtures/references as an import does. */
export function fixtureRecords(name: string) {
  const { text, format } = openReferences(readFileSync(new URL(`../fixtures/references/${name}`, import.meta.url)))
  return [...readReferences(text, format)]
}

/** Returns the references of a file of tests/fixtures/references, without the records that could not be read. */
export const fixtureReferences = (name: string) =>
  fixtureRecords(name).flatMap(({ reference }) => (reference ? [reference] : []))
