import { describe, expect, it } from 'vitest'
import type { FirstPage } from '#shared/pdf-text/page-layout.ts'
import { readPrintedVolume } from './printed-volume.ts'
import { readLabelledVolume, readVolume } from './read-volume.ts'

describe('readVolume', () => {
  it.each([
    ['2019;12(3):211–219', { volume: '12', issue: '3', page: '211-219', year: 2019 }],
    ['. 2019 Mar 4; 12(3): 211–9.', { volume: '12', issue: '3', page: '211-219', year: 2019 }],
    ['2019;12:e44', { volume: '12', page: 'e44', year: 2019 }],
    ['2019;12(Suppl 2)', { volume: '12', issue: 'Suppl 2', year: 2019 }],
    [' 14 (2019) 211–219', { volume: '14', page: '211-219', year: 2019 }],
    [' 14 (2019) 103456', { volume: '14', page: '103456', year: 2019 }],
    [' 14 (2019) 4', { volume: '14', year: 2019 }],
    [' (2020) 25:4927–4961', { volume: '25', page: '4927-4961', year: 2020 }],
    [' | (2019) 9:1234', { volume: '9', page: '1234', year: 2019 }],
    [' 8(7): e2994. doi:10.5555/x', { volume: '8', issue: '7', page: 'e2994', year: null }],
    [', 4(38), 118. https://doi.org/10.5555/x', { volume: '4', issue: '38', page: '118', year: null }],
    [', 18 (2), 2020: 45–58', { volume: '18', issue: '2', page: '45-58', year: 2020 }],
    [' 2019, 11(3), 455; doi:10.5555/x', { volume: '11', issue: '3', page: '455', year: 2019 }],
    [' 5:e213 DOI 10.5555/x', { volume: '5', page: 'e213', year: null }],
    [', 12, 211–219, 2019', { volume: '12', page: '211-219', year: 2019 }],
    [' 12(3–4), S12–S19 (2019)', { volume: '12', issue: '3-4', page: 'S12-S19', year: 2019 }],
  ])('readVolume reads %j', (text, read) => expect(readVolume(text)).toEqual(read))

  it.each([
    ' 2019',
    ' 12, 3 May 2019',
    ', 4, 10.5555/jx.2019.4',
    ' (2019), DOI 10.5555/x',
    ' 4(38), 10.5555/x',
    ' 14(2): 219–211',
    ' 3 of 12',
    ' ’24, April 14–20, 2024',
    ' and 12:30 p.m.',
  ])('readVolume reads nothing in %j', (text) => expect(readVolume(text)).toBeNull())

  it.each([
    ['Vol. 12, No. 3, pp. 211–219', { volume: '12', issue: '3', page: '211-219', year: null }],
    ['VOL. 12, NO. 3, MARCH 2019', { volume: '12', issue: '3', year: 2019 }],
    ['March 2014 | Volume 8 | Issue 7 | e2994', { volume: '8', issue: '7', page: 'e2994', year: 2014 }],
    [
      'Vol. 8, No. CSCW1, Article 54. Publication date: April 2024.',
      { volume: '8', issue: 'CSCW1', page: '54', year: 2024 },
    ],
    ['14. Jg., Heft 3/2019, S. 211–219', { volume: '14', issue: '3', page: '211-219', year: 2019 }],
    ['vol. 12, núm. 3, 2019, pp. 211-219', { volume: '12', issue: '3', page: '211-219', year: 2019 }],
    ['tome 12, n° 3, p. 211–219', { volume: '12', issue: '3', page: '211-219', year: null }],
  ])('readLabelledVolume reads %j', (text, read) => expect(readLabelledVolume(text)).toEqual(read))

  it.each(['No. 2017-31', 'Page 2 of 12', '13 pages', 'A volume of 12 ml', 'doi:10.5555/vol.12.3'])(
    'readLabelledVolume reads nothing in %j',
    (text) => expect(readLabelledVolume(text)).toBeNull(),
  )
})

const TITLE = 'Green tea before bed and the sleep of night nurses'
const REST =
  'Ann Bee1, Carl Dee2\n\nPublished online: 4 May 2019.\n\nAbstract\n\nNight nurses sleep badly after a night shift.'

describe('readPrintedVolume', () => {
  it.each([
    ['above the title', 'J Sleep Res 2019;12(3):211–219', { volume: '12', issue: '3', page: '211-219' }],
    [
      'with an ISSN',
      'Annals of Tea, Vol. 12, No. 3, 2019, pp. 211–219, ISSN 1234-5678',
      { volume: '12', issue: '3', page: '211-219' },
    ],
    ['without the name', 'Annals of Tea\n\nVolume 12 · Issue 3 · May 2019', { volume: '12', issue: '3' }],
    [
      'after a label',
      'Annals of Tea\n\nCite this article as: Annals of Tea 2019;364:l4321',
      { volume: '364', page: 'l4321' },
    ],
    ['after the authors', 'Bee and Dee Annals of Tea (2019) 12:44', { volume: '12', page: '44' }],
  ])('readPrintedVolume reads a line %s', (_, line, read) => {
    expect(readPrintedVolume({ text: `${line}\n\n${TITLE}\n\n${REST}` })).toEqual(read)
  })

  it('readPrintedVolume reads a citation of the paper and a line with its DOI', () => {
    const cited = `Citation: Bee A, Dee C (2019) ${TITLE}. Tea Negl Trop Dis 8(7): e2994. doi:10.5555/x.1`
    expect(readPrintedVolume({ text: `${TITLE}\n\n${REST}\n\n${cited}` })).toEqual({
      volume: '8',
      issue: '7',
      page: 'e2994',
    })
    const withDoi = '2019, 12(3), 211–219. https://doi.org/10.5555/x.1'
    expect(readPrintedVolume({ text: `${withDoi}\n\n${TITLE}\n\n${REST}` })).toMatchObject({ volume: '12', issue: '3' })
  })

  it('readPrintedVolume reads the running heads of a layout', () => {
    const heads = ['Bee and Dee\tAnnals of Tea 12 (2019) 211–219', '212\tAnnals of Tea 12 (2019) 211–219']
    const lines = [{ text: TITLE, size: 18, x: 50, y: 700 }]
    const firstPage: FirstPage = { width: 600, height: 800, lines, heads }
    expect(readPrintedVolume({ text: `${TITLE}\n\n${REST}`, firstPage })).toEqual({ volume: '12', page: '211-219' })
  })

  it.each([
    ['a cited work in the text', 'Annals of Tea', 'Tea was studied before (Eff, Annals of Tea 2017;9(1):1–9).'],
    ['a cited work in a footnote', 'Annals of Tea', '1 E. Eff, On cups, Annals of Tea 9 (2018) 1–9.'],
    ['a part of a footnote', 'Annals of Tea', 'Annals of Tea 9 (2018) 1–9.'],
    ['a list of references', 'Annals of Tea', `References\n\nBee A, Dee C. ${TITLE}. Annals of Tea. 2019;9(1):1–9.`],
    ['a line of another journal', 'Annals of Tea', 'Coffee Letters 2019;9(1):1–9'],
    ['a line of another year', 'Annals of Tea 2009;9(1):1–9', ''],
    ['marks of affiliations after the title', 'Annals of Tea', `Original article: ${TITLE}. Ann Bee 1, 2–4`],
    ['the number of a report', 'Tea Papers, No. 2019-31', ''],
    ['lines with different volumes', 'Annals of Tea 2019;9(1):1–9', 'Annals of Tea 2019;10(1):1–9'],
  ])('readPrintedVolume reads nothing in %s', (_, above, below) => {
    expect(readPrintedVolume({ text: `${above}\n\n${TITLE}\n\n${REST}\n\n${below}` })).toEqual({})
  })

  it('readPrintedVolume omits a page number that differs between lines', () => {
    const text = `Annals of Tea 2019;9(1):3\n\n${TITLE}\n\n${REST}\n\nAnnals of Tea 2019;9(1):4`
    expect(readPrintedVolume({ text })).toEqual({ volume: '9', issue: '1' })
  })

  it.each(['Annals of Tea 2019;', '12 (2019) ', 'Vol. 12, ', '1', ' ', 'a (', `${TITLE}. `])(
    'readPrintedVolume terminates on many repetitions of %j',
    (part) => {
      const text = `Annals of Tea 2019;9(1)\n\n${TITLE}\n\n${part.repeat(20_000)}`
      expect(readPrintedVolume({ text }).page).toBeUndefined()
    },
  )
})
