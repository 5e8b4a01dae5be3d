import { expect, it } from 'vitest'
import { settingsInWords } from './words.ts'

it('settingsInWords names the settings of a provider, and none of the built-in model', () => {
  expect(settingsInWords({ provider: 'built-in', verify: true })).toBe('')
  expect(settingsInWords({ provider: 'api.example.org', temperature: 0, verify: false })).toBe(
    'provider api.example.org, temperature 0, support of sentences not checked',
  )
})
