import { describe, expect, it } from 'vitest'
import { sourceWire } from './source-wire.ts'
import { readSource } from './sources.ts'

/** A source as the documentation of OpenAlex describes it, with additional fields that the code must ignore. */
const NATURE = {
  id: 'https://openalex.org/S137773608',
  issn_l: '0028-0836',
  issn: ['0028-0836', '1476-4687'],
  display_name: 'Nature',
  host_organization: 'https://openalex.org/P4310319908',
  host_organization_name: 'Nature Portfolio',
  works_count: 421_000,
  cited_by_count: 20_000_000,
  summary_stats: { '2yr_mean_citedness': 18.5, h_index: 1331, i10_index: 100_000 },
  is_oa: false,
  is_in_doaj: false,
  homepage_url: 'https://www.nature.com/nature/',
  type: 'journal',
  works_api_url: 'https://api.openalex.org/works?filter=primary_location.source.id:S137773608',
  a_field_of_next_year: { deep: [1] },
}
const read = (change: object) => readSource(sourceWire.parse({ ...NATURE, ...change }))

describe('a source of OpenAlex', () => {
  it('A source of OpenAlex becomes a journal of the catalog (ADMJ-13)', () => {
    expect(read({})).toEqual({
      openalex_id: 'https://openalex.org/S137773608',
      name: 'Nature',
      type: 'journal',
      publisher: 'Nature Portfolio',
      issn_l: '0028-0836',
      works_count: 421_000,
      citations_count: 20_000_000,
      is_open_access: false,
      homepage_url: 'https://www.nature.com/nature/',
      h_index: 1331,
      i10_index: 100_000,
      works_api_url: 'https://api.openalex.org/works?filter=primary_location.source.id:S137773608',
    })
  })

  it.each([
    [{ display_name: null }, { name: 'Unknown Journal' }],
    [{ display_name: ' Na\0ture ' }, { name: 'Nature' }],
    [{ host_organization_name: null, host_organization: { display_name: 'Springer' } }, { publisher: 'Springer' }],
    [{ host_organization_name: undefined, host_organization: null, publisher: 'Old' }, { publisher: 'Old' }],
    [{ is_oa: false, is_in_doaj: true }, { is_open_access: true }],
    [{ is_oa: undefined, is_in_doaj: undefined }, { is_open_access: null }],
    [
      { works_count: 9e12, cited_by_count: 'many' },
      { works_count: null, citations_count: null },
    ],
    [{ summary_stats: null }, { h_index: null, i10_index: null }],
    [{ homepage_url: 'javascript:alert(1)' }, { homepage_url: null }],
    [{ homepage_url: 'www.nature.com' }, { homepage_url: 'https://www.nature.com' }],
  ])('readSource reads %j as %j', (change, expected) => {
    expect(read(change)).toMatchObject(expected)
  })

  it('readSource returns null for an id of another kind, and a source without an id is invalid', () => {
    expect(read({ id: 'https://openalex.org/W1' })).toBeNull()
    expect(sourceWire.safeParse({ display_name: 'Nature' }).success).toBe(false)
  })
})
