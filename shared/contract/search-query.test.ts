import { describe, expect, it } from 'vitest'
import { parseSearch, refuseSearch, type SearchQuery } from './search-query.ts'

describe('parseSearch', () => {
  it.each<[string, Partial<SearchQuery>]>([
    ['sleep and naps', { text: 'sleep and naps', required: [], excluded: [] }],
    [
      '"slow wave sleep" recall',
      { text: 'slow wave sleep recall', required: [[{ kind: 'phrase', text: 'slow wave sleep' }]] },
    ],
    ['“slow wave” x', { required: [[{ kind: 'phrase', text: 'slow wave' }]] }],
    ['"sleep"', { text: 'sleep', required: [[{ kind: 'phrase', text: 'sleep' }]] }],
    [
      'title:naps OR sleep',
      {
        text: 'sleep',
        required: [
          [
            { kind: 'title', text: 'naps' },
            { kind: 'word', text: 'sleep' },
          ],
        ],
      },
    ],
    [
      'serotonin -5-HT -2-AG',
      {
        text: 'serotonin',
        excluded: [
          { kind: 'word', text: '5-HT' },
          { kind: 'word', text: '2-AG' },
        ],
      },
    ],
    ['-0.5 and -20–40', { text: '0.5 and 20–40', excluded: [] }],
    [
      'sleep -mice -"in vitro"',
      {
        text: 'sleep',
        excluded: [
          { kind: 'word', text: 'mice' },
          { kind: 'phrase', text: 'in vitro' },
        ],
      },
    ],
    [
      '"a b" OR "c d" e',
      {
        text: 'a b c d e',
        required: [
          [
            { kind: 'phrase', text: 'a b' },
            { kind: 'phrase', text: 'c d' },
          ],
        ],
      },
    ],
    [
      'nap OR "a b"',
      {
        text: 'nap a b',
        required: [
          [
            { kind: 'word', text: 'nap' },
            { kind: 'phrase', text: 'a b' },
          ],
        ],
      },
    ],
    ['nap OR rest', { text: 'nap rest', required: [] }],
    ['OR nap OR', { text: 'nap', required: [] }],
    [
      'author:smith title:"deep sleep"',
      { text: '', required: [[{ kind: 'author', text: 'smith' }], [{ kind: 'title', text: 'deep sleep' }]] },
    ],
    ['-tag:mice x', { text: 'x', excluded: [{ kind: 'tag', text: 'mice' }] }],
    ['year:2015..2020', { required: [[{ kind: 'year', from: 2015, to: 2020 }]] }],
    ['year:2020..2015', { required: [[{ kind: 'year', from: 2015, to: 2020 }]] }],
    ['year:2015-2020', { required: [[{ kind: 'year', from: 2015, to: 2020 }]] }],
    ['year:2015..', { required: [[{ kind: 'year', from: 2015, to: null }]] }],
    ['year:..2020', { required: [[{ kind: 'year', from: null, to: 2020 }]] }],
    ['Year:2019', { required: [[{ kind: 'year', from: 2019, to: 2019 }]] }],
    ['year:soon', { text: 'year:soon', required: [] }],
    ['pmid:123', { text: 'pmid:123', required: [] }],
    ['stored at -20 °C', { text: 'stored at 20 °C', required: [], excluded: [] }],
    ['"open', { text: '"open', required: [] }],
    ['title:', { text: 'title:', required: [] }],
    ['- — ""', { text: '', required: [], excluded: [] }],
  ])('parseSearch reads %j (LIB-04)', (search, expected) => {
    expect(parseSearch(search)).toMatchObject(expected)
  })

  it('refuseSearch returns the reason for a search without a word to look for, and null for other searches', () => {
    expect(refuseSearch(parseSearch('-mice -tag:x'))).toBe('Add at least one word to look for.')
    expect(refuseSearch(parseSearch('  '))).toBe('Query cannot be empty')
    expect(refuseSearch(parseSearch('tag:x -mice'))).toBeNull()
  })

  it('refuseSearch refuses more than ten parts with a prefix', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `-title:a${at}`).join(' ')
    expect(refuseSearch(parseSearch(`sleep ${fields(10)} -mice`))).toBeNull()
    expect(refuseSearch(parseSearch(`sleep ${fields(10)} OR author:li`))).toBe(
      'Use at most 10 words with a prefix such as title: or tag:.',
    )
  })
})
