import { describe, expect, it } from 'vitest'
import { referencePatch } from '#shared/contract/reference-edits.ts'
import type { Reference } from '#shared/contract/references.ts'
import { patchOf, type ReferenceValues, textOfValue, valuesOf } from './reference-values.ts'

const reference: Reference = {
  type: 'chapter',
  title: 'Naps',
  page: '1-9',
  author: [
    { family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van', suffix: 'Jr.' },
    { literal: 'Sleep Group' },
  ],
  issued: { 'date-parts': [[2024, 2]] },
  'event-date': {
    'date-parts': [
      [2023, 5, 1],
      [2023, 5, 3],
    ],
  },
  accessed: { 'date-parts': [[2020]], circa: true },
}
const stored = valuesOf(reference)
const change = (values: Partial<ReferenceValues>) => patchOf(stored, { ...stored, ...values })
const issued = (year: string, month = '', day = '') => change({ issued: { year, month, day } })

describe('the form of a reference', () => {
  it('patchOf is empty for unchanged values, and contains every field of a new reference (FMT-09)', () => {
    expect(change({})).toEqual({})
    expect(change({ title: ' Naps ', author: [...stored.author, { family: ' ' }] })).toEqual({})
    const empty = Object.fromEntries(Object.keys(stored).map((name) => [name, null]))
    const filled = patchOf(valuesOf({ type: 'book' }), stored)
    expect(filled).toEqual(reference)
    expect(patchOf(stored, valuesOf({ type: 'chapter' }))).toEqual(
      Object.fromEntries(Object.keys(reference).flatMap((name) => (name === 'type' ? [] : [[name, empty[name]]]))),
    )
  })

  it('patchOf contains the changed fields, and null for an emptied field', () => {
    expect(change({ type: 'book', page: '', volume: ' 3 ' })).toEqual({ type: 'book', page: null, volume: '3' })
    expect(change({ author: [stored.author[1]!, stored.author[0]!] }).author).toEqual(reference.author!.toReversed())
    expect(change({ author: [{ given: '' }] })).toEqual({ author: null })
  })

  it('A date may be a year, a month or a day (FND-05)', () => {
    expect(stored.issued).toEqual({ year: '2024', month: '2', day: '' })
    expect(issued('2024', '2')).toEqual({})
    expect(issued(' 2023 ')).toEqual({ issued: { 'date-parts': [[2023]] } })
    expect(issued('-44', '3', '15')).toEqual({ issued: { 'date-parts': [[-44, 3, 15]] } })
    expect(issued('')).toEqual({ issued: null })
  })

  it.each([
    ['', '2', '', 'Enter a year from 1 to 9999.'],
    ['soon', '', '', 'Enter a year from 1 to 9999.'],
    ['2024', '', '3', 'Enter a month from 1 to 12.'],
    ['2023', '2', '29', 'This day does not exist.'],
    ['2023', '2', 'x', 'This day does not exist.'],
  ])('The date %j %j %j is refused', (year, month, day, message) => {
    const { error } = referencePatch.safeParse(issued(year, month, day))
    expect(error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([['issued', message]])
  })

  it('A stored date range stays unless the user types another date or removes it', () => {
    expect(stored['event-date']).toEqual({ year: '', month: '', day: '', stored: reference['event-date'] })
    expect(change({ 'event-date': { year: '2025', month: '', day: '' } })).toEqual({
      'event-date': { 'date-parts': [[2025]] },
    })
    expect(change({ 'event-date': { year: '', month: '', day: '' } })).toEqual({ 'event-date': null })
  })

  it('textOfValue shows a type, names and a date as text', () => {
    expect(textOfValue(stored.type, 'type')).toBe('Chapter of a book')
    expect(textOfValue(stored.author, 'author')).toBe('Ludwig van Beethoven Jr., Sleep Group')
    expect(textOfValue(stored.accessed, 'accessed')).toBe('about 2020')
    expect(textOfValue(stored.submitted, 'submitted')).toBe('')
  })
})
