import { describe, expect, it } from 'vitest'
import { listedNames } from './listed-names.ts'

const ADA = { family: 'Lovelace', given: 'Ada' }
const MARY = { family: 'Somerville', given: 'Mary' }

describe('listedNames', () => {
  it.each([
    ['Ada Lovelace\nMary Somerville', [ADA, MARY]],
    ['Lovelace, Ada; Somerville, Mary', [ADA, MARY]],
    ['Ada Lovelace1,2*, Mary Somerville3 and', [ADA, MARY]],
    [
      'Ada Lovelace, Mary Somerville, and World Health Organization',
      [ADA, MARY, { literal: 'World Health Organization' }],
    ],
    ['Ada Lovelace & Mary Somerville', [ADA, MARY]],
    ['Lovelace, Ada', [ADA]],
    [' ;\n 1, ', []],
  ])('listedNames reads the names in %j (FMT-09)', (text, names) => {
    expect(listedNames(text)).toEqual(names)
  })
})
