import { describe, expect, it } from 'vitest'
import type { CslDate } from '#shared/contract/references.ts'
import { isoDate, parseDate, wordDate, yearAndMonth } from './dates.ts'

const day = (...parts: number[]): CslDate => ({ 'date-parts': [parts] })
const range = (...parts: number[][]): CslDate => ({ 'date-parts': parts })

/** A text, its date, the date in ISO 8601-2, and the date as PubMed writes it. */
const DATES: [string, CslDate, string, string][] = [
  ['2019', day(2019), '2019', '2019'],
  ['2019-3-5', day(2019, 3, 5), '2019-03-05', '2019 Mar 5'],
  ['2010-01-02T10:11:12Z', day(2010, 1, 2), '2010-01-02', '2010 Jan 2'],
  ['20151028', day(2015, 10, 28), '2015-10-28', '2015 Oct 28'],
  ['2001/09/01/', day(2001, 9, 1), '2001-09-01', '2001 Sep 1'],
  ['2001/00/00/', day(2001), '2001', '2001'],
  ['2014///Spring', { ...day(2014), season: 1 }, '2014-21', '2014 Spring'],
  ['2003//Jan', day(2003, 1), '2003-01', '2003 Jan'],
  ['2019 Mar-Apr', range([2019, 3], [2019, 4]), '2019-03/2019-04', '2019 Mar-Apr'],
  ['Mar-Apr 2019', range([2019, 3], [2019, 4]), '2019-03/2019-04', '2019 Mar-Apr'],
  ['2019 Mar 5-12', range([2019, 3, 5], [2019, 3, 12]), '2019-03-05/2019-03-12', '2019-03-05/2019-03-12'],
  ['5-12 March 2019', range([2019, 3, 5], [2019, 3, 12]), '2019-03-05/2019-03-12', '2019-03-05/2019-03-12'],
  ['13\u201320 March 2019', range([2019, 3, 13], [2019, 3, 20]), '2019-03-13/2019-03-20', '2019-03-13/2019-03-20'],
  ['March 5-12, 2019', range([2019, 3, 5], [2019, 3, 12]), '2019-03-05/2019-03-12', '2019-03-05/2019-03-12'],
  ['30 Nov-2 Dec 2019', range([2019, 11, 30], [2019, 12, 2]), '2019-11-30/2019-12-02', '2019-11-30/2019-12-02'],
  ['2019 Dec-2020 Jan', range([2019, 12], [2020, 1]), '2019-12/2020-01', '2019-12/2020-01'],
  ['2019/2020', range([2019], [2020]), '2019/2020', '2019/2020'],
  ['2004/..', day(2004), '2004', '2004'],
  ['Fall 2011', { ...day(2011), season: 3 }, '2011-23', '2011 Autumn'],
  ['March 5, 2019', day(2019, 3, 5), '2019-03-05', '2019 Mar 5'],
  ['5th March 2019', day(2019, 3, 5), '2019-03-05', '2019 Mar 5'],
  ['07 2006', day(2006, 7), '2006-07', '2006 Jul'],
  ['3/15/2019', day(2019, 3, 15), '2019-03-15', '2019 Mar 15'],
  ['15.03.2019', day(2019, 3, 15), '2019-03-15', '2019 Mar 15'],
  ['2019, in press', day(2019), '2019', '2019'],
  ['ca. 1990', { ...day(1990), circa: true }, '1990~', '1990~'],
  ['[2004?]', { ...day(2004), circa: true }, '2004~', '2004~'],
  ['in press', { literal: 'in press' }, 'in press', 'in press'],
  ['10 15', { literal: '10 15' }, '10 15', '10 15'],
]

describe('dates', () => {
  it.each(DATES)('parseDate reads %s and its isoDate and wordDate forms as the same date', (text, date, iso, words) => {
    expect(parseDate(text)).toEqual(date)
    expect([isoDate(date), wordDate(date)]).toEqual([iso, words])
    expect([parseDate(iso), parseDate(words)]).toEqual([date, date])
  })

  it('parseDate returns undefined for a text without letters and digits', () => {
    expect([parseDate('///'), parseDate('')]).toEqual([undefined, undefined])
  })

  it.each([
    ['2006', 'Jul', day(2006, 7)],
    ['2006', '7', day(2006, 7)],
    ['2006', '', day(2006)],
    ['2006', 'Mar-Apr', range([2006, 3], [2006, 4])],
    ['2006', '5-7 March', range([2006, 3, 5], [2006, 3, 7])],
    ['2006/2007', 'Mar', range([2006], [2007])],
  ])('yearAndMonth reads the year %s and the month %s as one date', (year, month, date) => {
    expect(yearAndMonth(year, month)).toEqual(date)
  })
})
