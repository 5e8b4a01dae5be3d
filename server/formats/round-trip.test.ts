import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { IMPORT_REFUSALS, MAX_IMPORT_BYTES } from '#shared/contract/reference-formats.ts'
import type { Reference } from '#shared/contract/references.ts'
import { openReferences, readReferences, writeReferences } from './index.ts'

const bytesOf = (name: string) => readFileSync(new URL(`../../tests/fixtures/references/${name}`, import.meta.url))

/** The references of a file without `custom`, which is not written. */
function referencesOf(bytes: Uint8Array): Reference[] {
  const { text, format } = openReferences(bytes)
  return [...readReferences(text, format)].flatMap(({ reference }) =>
    reference ? [{ ...reference, custom: undefined }] : [],
  )
}

describe('round trips', () => {
  it.each([
    ['embase.ris', 'ris'],
    ['scopus.ris', 'ris'],
    ['web-of-science.ris', 'ris'],
    ['cinahl.ris', 'ris'],
    ['proquest.ris', 'ris'],
    ['asreview.ris', 'ris'],
  ] as const)('The references of %s are equal after they are written and read as %s (FMT-53)', (name, format) => {
    const references = referencesOf(bytesOf(name))
    expect(references.length).toBeGreaterThan(0)
    const written = [
      ...writeReferences(
        references.map((reference) => ({ reference })),
        format,
      ),
    ].join('')
    expect(referencesOf(Buffer.from(written))).toEqual(references)
  })
})

describe('refused files', () => {
  const refusal = (bytes: Uint8Array) => () => referencesOf(bytes)

  it('A file of another kind, without records, or above the limit is refused (FMT-70, FMT-71, FMT-73)', () => {
    expect(refusal(Buffer.from('A letter.'))).toThrow(IMPORT_REFUSALS.unknownFormat)
    expect(() => [...readReferences('', 'ris')]).toThrow(IMPORT_REFUSALS.noReferences)
    expect(refusal(new Uint8Array(MAX_IMPORT_BYTES + 1))).toThrow(IMPORT_REFUSALS.tooLarge)
    expect(refusal(Buffer.from('TY  - JOUR\nTI  - A\nER  -\n'.repeat(50_001)))).toThrow(IMPORT_REFUSALS.tooManyRecords)
  })
})
