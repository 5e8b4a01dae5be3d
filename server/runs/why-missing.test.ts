import { expect, it } from 'vitest'
import type { ComparedValue, RunInput } from '#shared/contract/runs.ts'
import { placesOf, whyMissing } from './why-missing.ts'

const passage = (document_id: string, page_number: number, page_offset: number) => ({
  document_id,
  page_number,
  page_offset,
  content: 'x'.repeat(100),
})
/** A run that read these passages of papers in version 1, and the paper 'new' in version 2. */
const run = (...passages: ReturnType<typeof passage>[]): RunInput => ({
  documents: [...new Set(passages.map(({ document_id: id }) => id))].map((id) => ({ id, text_version: 1 })),
  options: { places: placesOf(passages) },
})
const value = (...quotes: [id: string, page: number | null, start: number | null][]): ComparedValue => ({
  text: [],
  evidence: quotes.map(([document_id, page, start]) => ({
    document_id,
    page,
    start,
    end: start === null ? null : start + 10,
    match: 'exact',
    quote: [],
  })),
})
const own = run(passage('a', 1, 0), passage('b', 1, 0), passage('c', 0, 0))

it.each<[read: string, ComparedValue, RunInput, ReturnType<typeof whyMissing>]>([
  ['no paper of the value', value(['a', 1, 5]), run(passage('b', 1, 0)), 'paper'],
  ['another page of the paper', value(['a', 1, 5]), run(passage('a', 2, 0)), 'passage'],
  ['a later part of the page', value(['a', 1, 5]), run(passage('a', 1, 15)), 'passage'],
  ['a part of the quote', value(['a', 1, 5]), run(passage('a', 1, 14)), null],
  ['the abstract', value(['c', null, null]), run(passage('c', 0, 0)), null],
  ['another part than the abstract', value(['c', null, null]), run(passage('c', 1, 0)), 'passage'],
  ['one of the quoted passages', value(['a', 1, 5], ['b', 1, 5]), run(passage('b', 1, 0)), null],
  ['one of the papers', value(['a', 1, 5], ['b', 1, 5]), run(passage('b', 2, 0)), 'passage'],
  [
    'another text of the paper',
    value(['a', 1, 5]),
    { ...run(passage('a', 2, 0)), documents: [{ id: 'a', text_version: 2 }] },
    null,
  ],
  ['passages that are not stored', value(['a', 1, 5]), { ...run(passage('a', 2, 0)), options: {} }, null],
])('whyMissing has a reason for a run that read %s (FND-33)', (_read, one, lacking, reason) => {
  expect(whyMissing({ one, other: null }, { one: own, other: lacking })).toBe(reason)
  expect(whyMissing({ one: null, other: one }, { one: lacking, other: own })).toBe(reason)
})

it('whyMissing has no reason for a value without quotes and for a value of both runs (FND-33)', () => {
  const inputs = { one: own, other: run(passage('z', 1, 0)) }
  expect(whyMissing({ one: value(), other: null }, inputs)).toBeNull()
  expect(whyMissing({ one: value(['a', 1, 5]), other: value(['a', 1, 5]) }, inputs)).toBeNull()
})
