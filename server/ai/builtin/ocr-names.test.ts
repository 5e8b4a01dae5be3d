import { describe, expect, it } from 'vitest'
import type { FirstPage } from '#shared/pdf-text/page-layout.ts'
import { analyzeExtractively } from './analysis.ts'
import { readOcrNames } from './ocr-names.ts'

const noWord = () => false

describe('readOcrNames', () => {
  it.each([
    [
      'marks as other characters',
      ['Ada M. Okafor"®, Jan Novák? and Lì Wěi!'],
      ['Ada M. Okafor', 'Jan Novák', 'Lì Wěi'],
    ],
    ['icons', ['Ada Okafor ®’, Jan Novák ® 1!'], ['Ada Okafor', 'Jan Novák']],
    ['hyphens and dots for middle dots', ['Ada Okafor® - Jan Novák? . Lì Wěi'], ['Ada Okafor', 'Jan Novák', 'Lì Wěi']],
    ['an address in the same line', ['Ada Okafor, Jan Novák Department of Tea'], ['Ada Okafor', 'Jan Novák']],
    [
      'affiliations in the next line',
      ['Ada Okafor’, Jan Novák?', '! University of Tea, Leeds'],
      ['Ada Okafor', 'Jan Novák'],
    ],
    ['names over two lines', ['Ada Okafor’, Jan', 'Novák? and Lì Wěi'], ['Ada Okafor', 'Jan Novák', 'Lì Wěi']],
  ])('readOcrNames reads names with %s', (_, lines, names) => {
    expect(readOcrNames(lines, noWord)?.names.map(({ value }) => value)).toEqual(names)
  })

  it.each([
    ['a misread name', ['Ada Okafor’, Jan N0vák? and Lì Wěi']],
    ['a name alone', ['Ada Okafor?']],
    ['a label', ['B. Carvalhal (=X), E. Nwosu: Centre']],
    ['another line of names', ['Ada Okafor’, Jan Novák?', 'Milica Petrovi¢']],
    ['addresses', ['New York, United States']],
  ])('readOcrNames reads nothing in %s', (_, lines) => expect(readOcrNames(lines, noWord)).toBeNull())

  it('readOcrNames reads nothing in common words of the paper', () => {
    const common = new Set(['green', 'kettles', 'warm', 'cups'])
    expect(readOcrNames(['Green Kettles, Warm Cups?'], (word) => common.has(word))).toBeNull()
  })

  it('readOcrNames terminates on long rows', () => {
    for (const part of ['Ann Bee®, ', '?', 'a ? ', 'A.” ', ' - '])
      expect(readOcrNames([part.repeat(10_000)], noWord)?.share ?? 1).toBe(1)
  })
})

const TITLE = 'Evening group walking for older adults with poor sleep'
const ABSTRACT =
  'Abstract\n\nWe asked 200 older adults to walk in the evening. They slept 20 minutes longer than others who did not walk.'

describe('authors of a text without a layout', () => {
  const read = (front: string) => analyzeExtractively({ text: `[Page 1]\n${front}\n\n${ABSTRACT}` }).result

  it.each([
    ['below the title', `${TITLE}\n\nAda M. Okafor', Jan Novák? and Lì Wěi*`],
    [
      'in the next line',
      `${TITLE}\nAda M. Okafor, Jan Novák and Lì Wěi\nDepartment of Walking, University of Harrowmere`,
    ],
    [
      'below a title of two lines',
      `${TITLE} in\nnine community centres\nAda M. Okafor', Jan Novák? and Lì Wěi*\n! Department of Walking`,
    ],
    ['in two lines', `${TITLE}\n\nAda M. Okafor', Jan Novák?\nand Lì Wěi*\n\n! Department of Walking`],
  ])('The analysis reads names %s', (_, front) => {
    expect(read(front)).toMatchObject({
      title: expect.stringMatching(/(?:sleep|centres)$/),
      authors: ['Ada M. Okafor', 'Jan Novák', 'Lì Wěi'],
    })
  })

  it.each([
    ['one of them is misread', `${TITLE}\n\nAda M. Okafor', Jan N0vák?, Lì Wěi* and Ben Dee`],
    ['one of four is misread', `${TITLE}\n\nAda M. Okafor1, Jan N0vák2, Lì Wěi3, Ben Dee2`],
    ['the end of the row is missing', `${TITLE}\n\nAda M. Okafor', Jan Novák?,\n\nUniversity of Harrowmere`],
    ['a subtitle resembles names', `${TITLE}\n\nOlder Adults, Evening Walks?\n\nUniversity of Harrowmere`],
    [
      'a name is far below the title',
      `${TITLE}\n\nSleep Letters of the North\n\nAda Okafor\n\nUniversity of Harrowmere`,
    ],
    ['a citation does not name all', `How to cite: Okafor A, Novák J, et al. (2020) ${TITLE}. Sleep 2020;4:12`],
  ])('The analysis reads no authors if %s', (_, front) => expect(read(front).authors).toEqual([]))
})

describe('authors of a page that OCR has read', () => {
  const line = (size: number, x: number, y: number, text: string) => ({ size, x, y, text })
  const authorsOf = (...lines: FirstPage['lines']) => {
    const firstPage = { width: 600, height: 800, lines: [line(18, 60, 700, TITLE), ...lines] }
    const text = `[Page 1]\n${firstPage.lines.map((one) => one.text).join('\n\n')}\n\n${ABSTRACT}`
    return analyzeExtractively({ text, firstPage }).result.authors
  }

  it('The analysis reads authors side by side whose right column follows the abstract', () => {
    const authors = authorsOf(
      line(9, 100, 665, 'Ada Okafor'),
      line(9, 80, 654, 'Kettle Institute, Lagos'),
      line(9, 100, 635, 'Lì Wěi'),
      line(9, 80, 624, 'Kettle Institute, Lagos'),
      line(9, 45, 598, 'Abstract—Older adults sleep badly.'),
      line(9, 400, 665, 'Jan Novák'),
      line(9, 380, 654, 'Elmont Converters, Brno'),
      line(9, 315, 598, 'longer than others who did not walk.'),
    )
    expect(authors).toEqual(['Ada Okafor', 'Jan Novák', 'Lì Wěi'])
  })

  it('The analysis reads a second row of names for which OCR measured another size', () => {
    const authors = authorsOf(
      line(8.6, 50, 660, 'Ada Okafor” © . Jan Novák® -'),
      line(10.8, 50, 648, 'Lì Wěi? - Ben Dee'),
      line(8.6, 50, 620, 'Published online: 14 September 2020'),
    )
    expect(authors).toEqual(['Ada Okafor', 'Jan Novák', 'Lì Wěi', 'Ben Dee'])
  })
})
