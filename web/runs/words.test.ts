import { expect, it } from 'vitest'
import { papersInWords, settingsInWords } from './words.ts'

it('papersInWords names the papers of the scope and those that were read', () => {
  expect(papersInWords({ papers: 1, papers_read: 1 })).toBe('1 paper')
  expect(papersInWords({ papers: 1200, papers_read: 17 })).toBe('1,200 papers, 17 read')
  expect(papersInWords({ papers: 2, papers_read: 0 })).toBe('2 papers, none read')
})

it('settingsInWords names the settings of a provider, and none of the built-in model', () => {
  expect(settingsInWords({ provider: 'built-in', verify: true })).toBe('')
  expect(settingsInWords({ provider: 'api.example.org', temperature: 0, verify: false })).toBe(
    'provider api.example.org, temperature 0, support of sentences not checked',
  )
})
