import { describe, expect, it } from 'vitest'
import { exclusionInput, journalPatch, readOpenAlexKey } from './journals.ts'

describe('journal input', () => {
  it.each([
    [' https://nature.com/a ', 'https://nature.com/a'],
    ['nature.com/nature', 'https://nature.com/nature'],
    ['HTTP://nature.com', 'HTTP://nature.com'],
    ['localhost:8080/feed', 'https://localhost:8080/feed'],
    ['', null],
    ['   ', null],
    ['not an address', null],
    ['https://', null],
    ['ftp://nature.com', null],
    ['javascript:alert(1)', null],
    ['//nature.com/feed', 'https://nature.com/feed'],
    ['mailto:editor@nature.com', null],
    ['https://me:secret@nature.com', null],
    [null, null],
  ])('journalPatch reads the address %j as %j (ADMJ-26, ADMJ-27)', (given, expected) => {
    const read = journalPatch.parse({ homepage_url: given, rss_feed_url: given })
    expect(read).toEqual({ homepage_url: expected, rss_feed_url: expected })
  })

  it.each([
    ['openalex.org/S12', 'https://openalex.org/S12'],
    ['https://api.openalex.org/sources/S12/', 'https://api.openalex.org/sources/S12/'],
    [' s12 ', 'https://openalex.org/S12'],
    ['12', 'https://openalex.org/S12'],
    ['openalex.org/12', 'https://openalex.org/S12'],
    ['https://openalex.org/s12?select=id', 'https://openalex.org/S12'],
    ['', null],
    ['  ', null],
    [null, null],
  ])('journalPatch reads the OpenAlex ID %j as %j (ADMJ-26)', (given, expected) => {
    expect(journalPatch.parse({ openalex_id: given }).openalex_id).toBe(expected)
  })

  it.each([
    'https://example.org/journal/12345',
    'https://example.org/S12',
    'https://notopenalex.org/S12',
    'https://openalex.org.example.org/S12',
    'nature.com',
    'ftp://openalex.org/S12',
  ])('journalPatch reads the invalid OpenAlex ID %j as null (ADMJ-27)', (given) => {
    expect(journalPatch.parse({ openalex_id: given })).toEqual({ openalex_id: null })
  })

  it.each([
    [12, 12],
    ['12', 12],
    [' 0 ', 0],
    ['', null],
    [null, null],
  ])('journalPatch reads the count %j as %j (ADMJ-28)', (given, expected) => {
    const read = journalPatch.parse({ h_index: given, i10_index: given, works_count: given, citations_count: given })
    expect(new Set(Object.values(read))).toEqual(new Set([expected]))
  })

  it.each([1.5, '1.5', -1, 'many', '9999999999', 3_000_000_000])(
    'journalPatch refuses the count %j (ADMJ-28)',
    (given) => {
      expect(journalPatch.safeParse({ works_count: given }).success).toBe(false)
    },
  )

  it('journalPatch refuses a blank name and stores other blank texts as null (ADMJ-16, ADMJ-25)', () => {
    expect(journalPatch.safeParse({ name: '  ' }).error?.issues[0]?.message).toBe('Journal name is required')
    expect(journalPatch.parse({ publisher: ' ', issn_l: '' })).toEqual({ publisher: null, issn_l: null })
  })

  it.each([
    ['S12', 'S12'],
    ['12', 'S12'],
    [' https://openalex.org/s12/ ', 'S12'],
    ['https://api.openalex.org/sources/S12?select=id', 'S12'],
    ['', null],
    [' / ', null],
  ])('readOpenAlexKey reads %j as the key %j (ADMX-04)', (given, expected) => {
    expect(readOpenAlexKey(given)).toBe(expected)
  })

  it('exclusionInput requires an OpenAlex ID and no other field (ADMX-03, ADMX-05)', () => {
    const messageFor = (openalex_id: unknown) => exclusionInput.safeParse({ openalex_id }).error?.issues[0]?.message
    expect([messageFor(undefined), messageFor(' '), messageFor('S12')]).toEqual([
      'OpenAlex ID is required',
      'OpenAlex ID is required',
      undefined,
    ])
    for (const wrong of ['W12', 'https://example.org/journal/12345'])
      expect(messageFor(wrong)).toBe('This is not the OpenAlex ID of a journal, such as S137773608.')
  })
})
