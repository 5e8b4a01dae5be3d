import { describe, expect, it } from 'vitest'
import { documentsSearch, filterCount, listParams, toggled, typesOn } from './search.ts'

describe('what of the list stands in the address', () => {
  it('takes a single value for a list of one', () => {
    expect(documentsSearch.parse({ tag: 'sleep', status: ['pending', 'error'] })).toEqual({
      tag: ['sleep'],
      status: ['pending', 'error'],
    })
  })
  it('drops what no list can be shown for', () => {
    expect(
      documentsSearch.parse({ page: '-3', limit: '7', sort: 'owner_id.asc', nonsense: '1', status: 'lost' }),
    ).toEqual({})
    expect(documentsSearch.parse({ status: ['lost', 'error'] })).toEqual({ status: ['error'] })
  })
})

describe('the parameters of the call', () => {
  it('asks for the first ten, newest first, when nothing is said', () => {
    expect(listParams('p', {})).toMatchObject({
      project_id: 'p',
      page: 1,
      limit: 10,
      order_by: 'created_at.desc',
      search: '',
    })
  })
  it('means both words for completed', () => {
    expect(listParams('p', { status: ['completed', 'error'] }).status).toEqual(['completed', 'processed', 'error'])
  })
})

describe('choosing filters', () => {
  it('puts in, takes out, and is undefined when nothing is left', () => {
    expect(toggled(undefined, 'a')).toEqual(['a'])
    expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
    expect(toggled(['a'], 'a')).toBeUndefined()
  })
  it('counts statuses and levels, not tags', () => {
    expect(filterCount({ status: ['pending'], evidence: ['Level 1: x', 'Unknown'], tag: ['t'] })).toBe(3)
  })
})

describe('an entry in the history', () => {
  it('stays the same while a search is typed on', () => {
    expect(typesOn({ search: 'sl', tag: ['a'] }, { search: 'sleep', tag: ['a'], page: undefined })).toBe(true)
  })
  it.each([
    ['a search begun', {}, { search: 's' }],
    ['a search taken away', { search: 's' }, { search: undefined }],
    ['a filter', { search: 's' }, { search: 's', tag: ['a'] }],
    ['a sort', { search: 's' }, { search: 's', sort: 'title.asc' }],
    ['a page', { search: 's' }, { search: 's', page: 2 }],
    ['another search from a later page', { search: 's', page: 2 }, { search: 'sl' }],
  ])('is added for %s', (_, before, after) => {
    expect(typesOn(before, after)).toBe(false)
  })
})
