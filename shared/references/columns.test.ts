import { describe, expect, it } from 'vitest'
import type { Reference } from '#shared/contract/references.ts'
import { newCitationKey } from './citation-key.ts'
import { columnsOf, type ReferenceColumns, withColumns } from './columns.ts'

const COLUMNS: ReferenceColumns = {
  title: 'Naps and recall',
  doi_link: '10.5555/Naps',
  publication_date: '2025-03-14',
  journal_name: 'Sleep',
  authors: ['Ines Marlowe', 'Sleep Group'],
  abstract: 'We asked.',
  link: 'https://example.org/naps',
}
const REFERENCE: Reference = {
  type: 'article-journal',
  title: 'Naps and recall',
  DOI: '10.5555/Naps',
  issued: { 'date-parts': [[2025, 3, 14]] },
  'container-title': 'Sleep',
  author: [{ family: 'Marlowe', given: 'Ines' }, { literal: 'Sleep Group' }],
  abstract: 'We asked.',
  URL: 'https://example.org/naps',
}

describe('withColumns and columnsOf', () => {
  it('columnsOf returns the columns that withColumns stored in a reference, and withColumns the reference (FND-02)', () => {
    expect(withColumns({}, COLUMNS)).toEqual(REFERENCE)
    expect(columnsOf(REFERENCE)).toEqual(COLUMNS)
    expect(withColumns(REFERENCE, COLUMNS)).toEqual(REFERENCE)
  })

  it('withColumns removes the field of an empty column, and does not change the field of a missing column', () => {
    const next = withColumns(REFERENCE, { title: null, authors: [], doi_link: '', publication_date: null })
    expect(next).toEqual({
      type: 'article-journal',
      'container-title': 'Sleep',
      abstract: 'We asked.',
      URL: 'https://example.org/naps',
    })
    expect(columnsOf(next)).toMatchObject({ title: null, authors: [], doi_link: null, journal_name: 'Sleep' })
  })

  it('withColumns treats another form of a DOI as the same DOI', () => {
    expect(withColumns(REFERENCE, { doi_link: 'https://doi.org/10.5555/Naps' })).toEqual(REFERENCE)
    expect(withColumns({}, { doi_link: 'doi: 10.1/x' })).toMatchObject({ DOI: '10.1/x' })
  })

  it('withColumns keeps the parts of the names of unchanged authors', () => {
    const author = [
      { family: 'García Márquez', given: 'Gabriel' },
      { family: 'Li', given: 'Wei' },
    ]
    const next = withColumns({ type: 'book', author }, { authors: ['Wei Li', 'Gabriel García Márquez', 'New Name'] })
    expect(next.author).toEqual([author[1], author[0], { family: 'Name', given: 'New' }])
  })

  it.each([
    [[[2020]], null],
    [[[2020, 5]], null],
    [[[2020, 2, 30]], null],
    [
      [
        [2020, 5, 1],
        [2020, 5, 3],
      ],
      null,
    ],
    [[[980, 1, 2]], '0980-01-02'],
    [[[-44, 3, 15]], null],
  ])('columnsOf converts the date %j to the day %s (FND-05)', (parts, day) => {
    const reference: Reference = { type: 'book', issued: { 'date-parts': parts } }
    expect(columnsOf(reference).publication_date).toBe(day)
    // A form that sends the empty column back does not remove a partial date.
    expect(withColumns(reference, { publication_date: day })).toEqual(reference)
  })

  it('columnsOf returns no link for an address that does not begin with http(s)://', () => {
    expect(columnsOf({ URL: 'javascript:alert(1)' }).link).toBeNull()
  })
})

describe('newCitationKey', () => {
  it.each([
    [REFERENCE, 'marlowe2025naps'],
    [{ ...REFERENCE, title: 'On the <i>Übermüdung</i> of cats' }, 'marlowe2025ubermudung'],
    [{ author: [{ family: 'Łukasiewicz' }], title: 'A b' }, 'lukasiewicz'],
    [{ author: [{ literal: '張偉' }], issued: { 'date-parts': [[2020]] }, title: '睡眠' }, '2020'],
    [{ title: 'With this' }, 'with'],
    [{}, 'marlowe'],
  ] as const)('newCitationKey of %j is %s (FND-07)', (reference, key) => {
    expect(newCitationKey(reference as Reference, 'marlowe_2025_spindles.pdf')).toBe(key)
  })
})
