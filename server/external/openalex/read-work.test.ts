import { describe, expect, it } from 'vitest'
import { abstractOf } from './abstract.ts'
import { readWork } from './read-work.ts'

describe('abstractOf', () => {
  it.each([
    [{ sleep: [1], Naps: [0, 3], helps: [2] }, 'Naps sleep helps Naps'],
    [{ gap: [5], A: [0] }, 'A gap'],
    [{ far: [1e9], odd: [-1, 0.5], here: [0] }, 'here'],
    [{}, null],
    [null, null],
  ])('abstractOf turns %j into %j', (index, text) => {
    expect(abstractOf(index)).toBe(text)
  })
})

describe('readWork', () => {
  it('readWork removes markup, reads DOI and date, and accepts only http(s) addresses', () => {
    const work = readWork({
      id: 'https://openalex.org/W42',
      title: 'On <i>Shigella</i> &amp; sleep',
      doi: 'https://doi.org/10.1101/ABC',
      publication_date: '2024-02-30',
      best_oa_location: { is_oa: true, pdf_url: 'javascript:alert(1)', landing_page_url: 'https://example.org/p' },
      locations: [
        { is_oa: true, pdf_url: 'https://example.org/p.pdf' },
        { is_oa: false, pdf_url: 'https://example.org/paid.pdf' },
      ],
    })
    expect(work).toMatchObject({
      id: 'W42',
      title: 'On Shigella & sleep',
      doi: '10.1101/abc',
      publicationDate: null,
      pdfUrl: 'https://example.org/p.pdf',
      freeCopies: ['https://example.org/p.pdf', 'https://example.org/p'],
      isRetracted: false,
    })
  })

  it('readWork returns null for a work without a title or an id', () => {
    expect(readWork({ id: 'https://openalex.org/W1', title: ' ' })).toBeNull()
    expect(readWork({ id: 'nothing', title: 'A paper' })).toBeNull()
  })
})
