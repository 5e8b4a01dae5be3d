import { expect, it } from 'vitest'
import type { CslName } from '#shared/contract/references.ts'
import { shortAuthors, shortAuthorsOf } from './short-authors.ts'

it.each<[(CslName | string)[], string]>([
  [[], ''],
  [['Ada Lovelace'], 'Lovelace'],
  [['Ada Lovelace', 'Mary Somerville'], 'Lovelace & Somerville'],
  [['Ada Lovelace', 'Mary Somerville', 'Plato'], 'Lovelace et al.'],
  [['World Health Organization'], 'World Health Organization'],
  [
    ['World Health Organization', 'Bill & Melinda Gates Foundation', 'Ada Lovelace'],
    'World Health Organization et al.',
  ],
  [['The RECOVERY Collaborative Group', 'Ludwig van Beethoven'], 'The RECOVERY Collaborative Group & van Beethoven'],
  [['Smith JA'], 'Smith'],
  [['Lovelace, Ada'], 'Lovelace'],
  [['Martin Luther King Jr.'], 'King'],
  [['Plato'], 'Plato'],
  [[{ family: 'García Márquez', given: 'Gabriel' }], 'García Márquez'],
  [[{ literal: 'European Medicines Agency' }, { family: 'Okafor' }], 'European Medicines Agency & Okafor'],
  [[{ literal: 'Trial Team UK' }], 'Trial Team UK'],
])('shortAuthors: %j is displayed as %s', (authors, short) => {
  expect(shortAuthors(authors)).toBe(short)
})

it('shortAuthorsOf uses the names of the reference, and the displayed names without them', () => {
  const reference = { author: [{ literal: 'Statistics Norway' }] }
  expect(shortAuthorsOf(reference, ['Statistics Norway'])).toBe('Statistics Norway')
  expect(shortAuthorsOf({}, ['Gabriel Okafor'])).toBe('Okafor')
})
