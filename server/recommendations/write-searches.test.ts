import { describe, expect, it } from 'vitest'
import { widestSearch, writeSearches } from './write-searches.ts'

const phrases = ['declarative memory', 'adults', 'sleep']

describe('writeSearches', () => {
  it('writeSearches orders searches from narrow to wide, with a separate search for recent years', () => {
    expect(writeSearches({ phrases, searches: [] }, ['slow waves', 'sleep'])).toEqual([
      { search: '(declarative memory) AND adults AND sleep', years: null, limit: 100 },
      { search: '(declarative memory) AND (adults OR sleep)', years: 3, limit: 50 },
      { search: '(declarative memory) AND (adults OR sleep)', years: null, limit: 100 },
      { search: '(declarative memory) AND (slow waves)', years: null, limit: 50 },
    ])
  })

  it('writeSearches starts with the model’s searches and removes duplicates', () => {
    const searches = writeSearches({ phrases: ['sleep'], searches: ['sleep', 'memory consolidation'] }, [])
    expect(searches.map(({ search, years }) => [search, years])).toEqual([
      ['sleep', null],
      ['memory consolidation', null],
      ['sleep', 3],
    ])
  })

  it('writeSearches reads operators in the question as plain words', () => {
    const [first] = writeSearches({ phrases: ['p53 "AND" (x:y*)', 'OR'], searches: [] }, [])
    expect(first!.search).toBe('(p53 and x y) AND or')
    expect(writeSearches({ phrases: [], searches: [] }, ['sleep'])).toEqual([])
  })

  it('widestSearch combines all phrases with OR', () => {
    expect(widestSearch(phrases)?.search).toBe('((declarative memory) OR adults OR sleep)')
    expect(widestSearch(['sleep'])).toBeNull()
  })
})
