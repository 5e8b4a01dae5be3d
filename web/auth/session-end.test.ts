import { describe, expect, it } from 'vitest'
import { returnAddress } from './session-end.ts'

describe('returnAddress', () => {
  it.each(['/projects', '/Naps%20%26%20memory/documents?page=2', '/A/document/1/chat#page'])(
    'returnAddress returns %s',
    (address) => {
      expect(returnAddress(address)).toBe(address)
    },
  )

  it.each([
    'https://example.org/',
    '//example.org',
    '/\\example.org',
    '/\t/example.org',
    'javascript:alert(1)',
    'projects',
    '/auth?back=/auth',
    '/auth',
    ['/projects', '/settings'],
    undefined,
  ])('returnAddress returns undefined for %j', (address) => {
    expect(returnAddress(address)).toBeUndefined()
  })
})
