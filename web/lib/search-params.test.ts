import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'

describe('the query of an address', () => {
  it('repeats keys for lists, both ways', () => {
    expect(parseSearch('?tag=a&tag=b&search=x%20y')).toEqual({ tag: ['a', 'b'], search: 'x y' })
    expect(stringifySearch({ tag: ['a', 'b'], search: 'x y' })).toBe('?tag=a&tag=b&search=x+y')
  })
  it('leaves out what says nothing', () => {
    expect(stringifySearch({ search: '', tag: [], page: undefined })).toBe('')
  })
})
