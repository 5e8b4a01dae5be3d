import { describe, expect, it } from 'vitest'
import { counted, publicationDate, readDate, recentDate, shortDate, shortDateAndTime } from './dates.ts'

describe('dates', () => {
  it('A created date has the short form, and an invalid date stays as it is (CONST-22, CONST-23)', () => {
    expect(shortDate('2026-11-18T12:00:00Z')).toBe('Nov 18, 2026')
    expect(shortDate('soon')).toBe('soon')
  })
  it('A time of day has two digits each, and recent days have names', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 5).toISOString()
    expect(shortDateAndTime(at(18, 9))).toBe('Nov 18, 2026, 09:05')
    const now = new Date(2026, 10, 18, 20, 0)
    expect([18, 17, 16].map((day) => recentDate(at(day, 9), now))).toEqual([
      'Today, 09:05',
      'Yesterday',
      'Nov 16, 2026',
    ])
  })
  it('A publication date has a two-digit day and no time zone shift (CONST-21)', () => {
    expect(publicationDate('2025-03-04')).toBe('March 04, 2025')
    expect(publicationDate('2025')).toBe('2025')
  })
  it.each([
    ['2025-03-04', '2025-03-04'],
    ['2025-3-4', '2025-03-04'],
    ['March 04, 2025', '2025-03-04'],
    [' mar 4 2025 ', '2025-03-04'],
    ['4 March 2025', '2025-03-04'],
    ['Sept. 30, 2024', '2024-09-30'],
    ['February 29, 2024', '2024-02-29'],
    ['February 29, 2025', null],
    ['03/04/2025', null],
    ['Ma 4, 2025', null],
    ['0000-01-01', null],
    ['soon', null],
  ])('A typed date %j is read as %j (EDIT-03)', (typed, date) => {
    expect(readDate(typed)).toBe(date)
  })
  it('A formatted publication date is read back as the same date (CONST-21)', () => {
    for (const date of ['2025-01-31', '1999-05-01', '2026-12-09']) expect(readDate(publicationDate(date))).toBe(date)
  })
  it('counted writes the singular for one and groups the digits of large numbers', () => {
    expect([counted(1, 'document'), counted(0, 'document'), counted(1200, 'document')]).toEqual([
      '1 document',
      '0 documents',
      '1,200 documents',
    ])
  })
})
