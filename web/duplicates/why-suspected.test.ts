import { expect, it } from 'vitest'
import type { Resemblance } from '#shared/contract/duplicates.ts'
import { whySuspected } from './why-suspected.ts'

const found: Resemblance = {
  likeness: 'suspected',
  title_likeness: 0.979,
  title_begins: false,
  equal: ['firstAuthor', 'firstPage'],
  years_apart: 1,
}

it.each<[Partial<Resemblance>, string]>([
  [{}, 'Titles 97% alike, same first author, one year apart, same first page'],
  [
    { title_begins: true, equal: ['firstAuthor', 'year'], years_apart: 0 },
    'One title begins the other, same first author, same year',
  ],
  [{ title_likeness: 1, equal: ['doi', 'volume'], years_apart: null }, 'Same DOI, same title, same volume'],
])('whySuspected of %j is %j', (change, text) => {
  expect(whySuspected({ ...found, ...change })).toBe(text)
})
