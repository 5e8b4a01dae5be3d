import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'

describe('search parameters', () => {
  it('A list in search parameters is a repeated key in both directions', () => {
    expect(parseSearch('?tag=a&tag=b&search=x%20y')).toEqual({ tag: ['a', 'b'], search: 'x y' })
    expect(stringifySearch({ tag: ['a', 'b'], search: 'x y' })).toBe('?tag=a&tag=b&search=x+y')
  })
  it('Search parameters without a value are omitted', () => {
    expect(stringifySearch({ search: '', tag: [], page: undefined })).toBe('')
  })
})
