import { describe, expect, it } from 'vitest'
import { chosenTags, documentsSearch, filterCount, listParams, typesOn } from './search.ts'

describe('documentsSearch', () => {
  it('documentsSearch accepts a single value for a list', () => {
    expect(documentsSearch.parse({ tag: 'sleep', status: ['pending', 'error'] })).toEqual({
      tag: ['sleep'],
      status: ['pending', 'error'],
    })
  })
  it('documentsSearch drops invalid values', () => {
    expect(
      documentsSearch.parse({ page: '-3', limit: '7', sort: 'owner_id.asc', nonsense: '1', status: 'lost' }),
    ).toEqual({})
    expect(documentsSearch.parse({ status: ['lost', 'error'] })).toEqual({ status: ['error'] })
  })
})

describe('listParams', () => {
  it('listParams requests the first ten documents, newest first, by default (CONST-13, CONST-14)', () => {
    expect(listParams('p', {})).toMatchObject({
      project_id: 'p',
      page: 1,
      limit: 10,
      order_by: 'created_at.desc',
      search: '',
    })
  })
})

describe('filter selection', () => {
  it('filterCount counts statuses and levels, not tags', () => {
    expect(filterCount({ status: ['pending'], evidence: ['Level 1: x', 'Unknown'], tag: ['t'] })).toBe(3)
  })
})

describe('the chosen tags', () => {
  const filters = (...names: string[]) => ({
    statuses: [],
    evidence_levels: [],
    tags: names.map((name) => ({ name, document_count: 1 })),
  })
  it.each([
    ['the chosen tags take the spelling of the filter', ['Sleep', 'naps'], ['sleep', 'naps'], ['sleep', 'naps']],
    ['the chosen tags are one choice in two cases', ['SLEEP', 'Sleep'], ['sleep'], ['sleep']],
    ['the chosen tags are one choice in two cases that the filter does not have', ['SLEEP', 'Sleep'], [], ['SLEEP']],
    [
      'the chosen tags stay two choices where the filter has two',
      ['ΣΟΦΟΣ', 'σοφος'],
      ['ΣΟΦΟΣ', 'σοφος'],
      ['ΣΟΦΟΣ', 'σοφος'],
    ],
  ])('%s', (_, tag, shown, chosen) => {
    expect(chosenTags({ tag }, filters(...shown))).toEqual(chosen)
  })
})

describe('history entries', () => {
  it('A history entry is reused while the user types a search', () => {
    expect(typesOn({ search: 'sl', tag: ['a'] }, { search: 'sleep', tag: ['a'], page: undefined })).toBe(true)
  })
  it.each([
    ['a new search', {}, { search: 's' }],
    ['a cleared search', { search: 's' }, { search: undefined }],
    ['a filter', { search: 's' }, { search: 's', tag: ['a'] }],
    ['a sort', { search: 's' }, { search: 's', sort: 'title.asc' }],
    ['a page', { search: 's' }, { search: 's', page: 2 }],
    ['another search from a later page', { search: 's', page: 2 }, { search: 'sl' }],
  ])('A history entry is added for %s', (_, before, after) => {
    expect(typesOn(before, after)).toBe(false)
  })
})
