import { describe, expect, it } from 'vitest'
import { sharedIdentifier } from './shared-identifier.ts'

describe('sharedIdentifier', () => {
  it.each([
    [{ url: 'https://example.org/a', title: 'Naps' }, 'https://example.org/a'],
    [{ text: 'Naps in 2024 https://doi.org/10.5555/a' }, 'https://doi.org/10.5555/a'],
    [{ title: 'Naps', text: '38552117' }, '38552117'],
    [{ title: 'Naps in 2024' }, 'Naps in 2024'],
    [{}, ''],
  ])('sharedIdentifier: %o is %j', (shared, identifier) => {
    expect(sharedIdentifier(shared)).toBe(identifier)
  })
})
