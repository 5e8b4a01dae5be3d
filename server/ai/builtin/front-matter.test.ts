import { describe, expect, it } from 'vitest'
import type { FirstPage } from '#shared/pdf-text/page-layout.ts'
import { findAuthors } from './authors.ts'
import { findDoi } from './doi.ts'
import { frontMatter } from './first-page.ts'
import { readParagraphs } from './paragraphs.ts'
import { findPublicationDate } from './publication-date.ts'
import { findTitle } from './title.ts'

const front = (text: string, firstPage: FirstPage | null = null) =>
  frontMatter(readParagraphs([{ page: 1, text, start: 0 }]), firstPage)
const pageOf = (...lines: [size: number, y: number, text: string][]): FirstPage => ({
  width: 600,
  height: 800,
  lines: lines.map(([size, y, text]) => ({ size, y, text, x: 50 })),
})

describe('frontMatter', () => {
  it('frontMatter collects the words outside of addresses', () => {
    const { isCommonWord } = front('The tea was warm. See www.kettle.example or mail to jar@cup.example now.')
    expect(['tea', 'warm', 'now', 'kettle', 'jar', 'example'].map(isCommonWord)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('frontMatter reads a word of 400,000 letters in linear time', () => {
    const paragraphs = [
      { text: 'On tea', page: 1 },
      { text: 'a'.repeat(400_000), page: 2 },
    ]
    expect(frontMatter(paragraphs, null).isCommonWord('a'.repeat(400_000))).toBe(true)
  })
})

describe('findDoi', () => {
  it.each([
    ['https://doi.org/10.5555/tea.2024.7', '10.5555/tea.2024.7'],
    ['DOI: 10.5555/tea.2024.7.', '10.5555/tea.2024.7'],
    ['(doi 10.5555/s0140(24)7)', '10.5555/s0140(24)7'],
    ['doi:10. 5555/tea.2024.7 Editor: A. Bee', '10.5555/tea.2024.7'],
    ['Data: https://doi.org/10.5281/zenodo.99\n\nhttps://doi.org/10.5555/tea.7', '10.5555/tea.7'],
    ['Full-size DOI: 10.5555/tea.7/fig-1\n\nDOI 10.5555/tea.7', '10.5555/tea.7'],
  ])('findDoi reads the DOI in %j', (text, doi) => {
    expect(findDoi(front(text), null)?.value).toBe(doi)
  })

  it('findDoi uses the PDF’s metadata when the page prints no DOI, and ignores an invalid one', () => {
    expect(findDoi(front('Tea.'), { doi: 'https://doi.org/10.5555/x9' })).toEqual({ value: '10.5555/x9', quote: null })
    expect(findDoi(front('Tea.'), { doi: `10.1/${'x'.repeat(900)}` })).toBeNull()
  })

  it('findDoi ignores the list of references', () => {
    expect(findDoi(front('On tea\n\nReferences\n\n[1] Bee A. Coffee. doi:10.5555/other.1'), null)).toBeNull()
  })
})

describe('findPublicationDate', () => {
  it.each([
    ['Received 4 May 2019 Accepted 15 July 2019 Published 19 August 2019', '2019-08-19'],
    ['Received August 10, 2013; Accepted February 3, 2014; Published March 20, 2014', '2014-03-20'],
    ['Published online: 14 September 2020', '2020-09-14'],
    ['Available online 3rd Feb. 2021', '2021-02-03'],
    ['TEA ’24, April 14–20, 2024, Lisbon, Portugal', '2024-04-14'],
    ['Publication date: 2022-12-01', '2022-12-01'],
    ['Eingegangen: 3. März 2021. Angenommen: 20. August 2021. Veröffentlicht: 2. November 2021', '2021-11-02'],
    ['Recibido: 14 de enero de 2020. Aceptado: 8 de mayo de 2020. Publicado: 30 de junio de 2020.', '2020-06-30'],
    ['Reçu le 3 mars 2019 ; accepté le 4 avril 2019 ; publié le 5 août 2019', '2019-08-05'],
    ['Received: 04.05.2020 Accepted: 06.07.2020 Published: 13.08.2020', '2020-08-13'],
    ['Received 4 May 2019, Accepted 15 July 2019', '2019-07-15'],
    ['Accepted 15 July 2019. TEA ’19, September 3–5, 2019, Lisbon', '2019-09-03'],
    ['This version: November 20, 2017. First version: February 6, 2016', '2017-11-20'],
  ])('findPublicationDate reads %j as %s', (text, date) => {
    expect(findPublicationDate(front(text))?.value).toBe(date)
  })

  it.each([
    'March 2014',
    'Received: 3 May 2020',
    'Published 3/4/2020',
    'Published 31 February 2020',
    'By April 30, 2020, the service had recorded more than three million visits to its rooms.',
  ])('findPublicationDate returns no date for %j', (text) => {
    expect(findPublicationDate(front(text))).toBeNull()
  })
})

describe('findTitle', () => {
  const text = 'TEA LETTERS\n\nOn the warmth of tea in winter\n\nAnn Bee1, Carl Dee2\n\nAbstract\n\nTea is warm.'

  it('findTitle uses the largest type, joined over lines, with a subtitle below', () => {
    const page = pageOf(
      [9, 780, 'Tea Letters'],
      [18, 700, 'On the warmth of'],
      [18, 680, 'tea in winter'],
      [13, 655, 'A study of nine kitchens'],
      [10, 630, 'Ann Bee1, Carl Dee2 and Eve Eff1'],
      [10, 500, 'Tea is warm, and it is so in the winter more than at any other time of the year.'],
    )
    expect(findTitle(front(text, page), page, null)?.value).toBe(
      'On the warmth of tea in winter: A study of nine kitchens',
    )
  })

  it('findTitle returns the PDF’s title as printed, and ignores one that is not printed', () => {
    expect(findTitle(front(text), null, { title: 'On the warmthof tea in winter' })?.value).toBe(
      'On the warmth of tea in winter',
    )
    expect(findTitle(front(text), null, { title: 'Microsoft Word - final2.docx' })?.value).toBe(
      'On the warmth of tea in winter',
    )
  })

  const authorsBelow = pageOf(
    [18, 700, 'On the warmth of tea in winter'],
    [14, 660, 'Ann Bee and Carl Dee'],
    [10, 500, 'Tea is warm, and it is so in the winter more than at any other time of the year.'],
  )

  it('findTitle returns the largest type if the PDF’s title has the authors too', () => {
    const own = { title: 'On the warmth of tea in winter Ann Bee and Carl Dee' }
    expect(findTitle(front(text, authorsBelow), authorsBelow, own)?.value).toBe('On the warmth of tea in winter')
  })

  it('findTitle returns the largest type if the PDF’s title is another text of the page', () => {
    const own = { title: 'Tea is warm, and it is so in the winter' }
    expect(findTitle(front(text, authorsBelow), authorsBelow, own)?.value).toBe('On the warmth of tea in winter')
  })

  it('findTitle does not take a row of authors for a subtitle', () => {
    expect(findTitle(front(text, authorsBelow), authorsBelow, null)?.value).toBe('On the warmth of tea in winter')
  })

  it.each(['Ann Bee March 3, 2021', 'Ann Bee Northfield University', 'Ann Bee 3 March 2021'])(
    'findTitle does not take %j for a subtitle',
    (below) => {
      const page = pageOf(
        [18, 700, 'Using cups to score personality'],
        [13, 675, below],
        [10, 500, 'Tea is warm, and it is so in the winter more than at any other time of the year.'],
      )
      expect(findTitle(front(text, page), page, null)?.value).toBe('Using cups to score personality')
    },
  )

  it('findTitle returns a title that begins like a heading', () => {
    const page = pageOf(
      [18, 700, 'Introduction to the brewing of tea'],
      [12, 660, 'Ann Bee'],
      [14, 600, 'Data import'],
      [10, 500, 'Tea is warm, and it is so in the winter more than at any other time of the year.'],
    )
    expect(findTitle(front(text, page), page, null)?.value).toBe('Introduction to the brewing of tea')
  })

  it('findTitle does not add a numbered series or a translation to the title', () => {
    const page = pageOf(
      [14, 740, 'Tea Papers in Public Economics, No. 2017-31'],
      [13, 700, 'Cheaper Tea, Faster Jobs? Evidence from a Price Cut'],
      [12, 680, 'Preiswerter Tee und schnelle Arbeit: Folgen einer Preissenkung'],
      [10, 500, 'Tea is warm, and it is so in the winter more than at any other time of the year.'],
    )
    expect(findTitle(front('', page), page, null)?.value).toBe('Cheaper Tea, Faster Jobs? Evidence from a Price Cut')
  })

  it.each([
    ['a kind of article above it', 'Original Article\n\nOn the warmth of tea in winter\n\nAnn Bee1, Carl Dee2'],
    [
      'dates and addresses above it',
      'Received: 4 May 2020\n\nhttps://doi.org/10.5555/1\n\nOn the warmth of tea in winter\n\nAnn Bee1',
    ],
    [
      'the journal’s name above it',
      'Journal of Warm Drinks\n\nOn the warmth of tea in winter\n\nUniversity of Tea, London',
    ],
  ])('findTitle finds the title in plain text with %s', (_, plain) => {
    expect(findTitle(front(plain), null, null)?.value).toBe('On the warmth of tea in winter')
  })

  it.each(['Systematic review of tea in hospital kitchens', 'Review of tea in the schools of Oslo: a letter'])(
    'findTitle does not treat %j as a banner',
    (title) => expect(findTitle(front(`${title}\n\nAnn Bee1, Carl Dee2`), null, null)?.value).toBe(title),
  )
})

describe('findAuthors', () => {
  const TITLE = 'On the warmth of tea in winter'
  const find = (page: FirstPage, text = `${TITLE}\n\nTea is warm.`) => findAuthors(front(text, page), page, null, TITLE)
  const head: [number, number, string][] = [
    [9, 780, 'Tea Letters'],
    [18, 700, 'On the warmth of'],
    [18, 680, 'tea in winter'],
  ]

  it.each<[what: string, rows: [number, number, string][], names: string[]]>([
    [
      'before their affiliations',
      [
        [11, 650, 'Ann Bee, University of Warmth'],
        [11, 637, 'Carl Dee, Kettle Institute'],
      ],
      ['Ann Bee', 'Carl Dee'],
    ],
    [
      'that are words of the paper',
      [[11, 650, 'Rose Leaf, Carl Dee and Eve Eff']],
      ['Rose Leaf', 'Carl Dee', 'Eve Eff'],
    ],
  ])('findAuthors reads names %s', (_what, rows, names) => {
    const text = `${TITLE}\n\nEach leaf and every rose warms the tea.`
    expect(find(pageOf(...head, ...rows), text).map(({ value }) => value)).toEqual(names)
  })

  it('findAuthors reads a row over several lines, above affiliations and dates', () => {
    const page = pageOf(
      ...head,
      [11, 650, 'Ann Bee¹,², Carl van'],
      [11, 637, 'der Dee² and Eve Eff¹'],
      [8, 620, '1 Department of Tea, University of Warmth, 2 Kettle Institute, New York, United States'],
      [8, 600, 'Received: 4 May 2020'],
      [12, 580, 'Abstract'],
      [10, 560, 'Max Power and Tim Tower drank tea.'],
    )
    expect(find(page)).toEqual([
      { value: 'Ann Bee', quote: 'Ann Bee' },
      { value: 'Carl van der Dee', quote: 'Carl van der Dee' },
      { value: 'Eve Eff', quote: 'Eve Eff' },
    ])
  })

  it('findAuthors reads blocks side by side, each with an affiliation in the same size', () => {
    const page: FirstPage = {
      width: 600,
      height: 800,
      lines: [
        { text: TITLE, size: 18, x: 50, y: 700 },
        { text: 'Ann Bee', size: 9, x: 100, y: 665 },
        { text: 'Elmont Converters, Brno', size: 9, x: 80, y: 654 },
        { text: 'Carl Dee', size: 9, x: 400, y: 665 },
        { text: 'Kettle Institute, Lagos', size: 9, x: 380, y: 654 },
        { text: 'Eve Eff', size: 9, x: 100, y: 635 },
        { text: 'eff@tea.example', size: 9, x: 90, y: 624 },
        { text: 'Abstract—Tea is warm.', size: 9, x: 50, y: 598 },
      ],
    }
    expect(find(page).map((one) => one.value)).toEqual(['Ann Bee', 'Carl Dee', 'Eve Eff'])
  })

  it('findAuthors reads one author a line', () => {
    const page = pageOf(...head, [11, 650, 'ANN BEE, MD'], [11, 637, 'CARL DEE, PhD'], [8, 620, 'Tea Hospital, Warmth'])
    expect(find(page).map((one) => one.value)).toEqual(['Ann Bee', 'Carl Dee'])
  })

  it('findAuthors skips editors and banners between title and authors', () => {
    const page = pageOf(...head, [9, 660, 'Edited by Max Power'], [11, 640, 'Ann Bee, Carl Dee'])
    expect(find(page).map((one) => one.value)).toEqual(['Ann Bee', 'Carl Dee'])
  })

  it('findAuthors reads a text without a layout', () => {
    const text = `TEA LETTERS\n\n${TITLE}\n\nAnn Bee1, Carl Dee2\n\nUniversity of Tea\n\nAbstract\n\nTea is warm.`
    expect(findAuthors(front(text), null, null, TITLE).map((one) => one.value)).toEqual(['Ann Bee', 'Carl Dee'])
  })

  it('findAuthors uses the PDF’s authors when the page prints them all, and the citation when there are no others', () => {
    const text = `${TITLE}\n\nHow to cite this article: Bee A, Dee C. 2020. ${TITLE}. By Ann Bee, Kettle; and Carl Dee, Pot`
    const fromFile = (author: string) => findAuthors(front(text), null, { author }, TITLE).map((one) => one.value)
    expect(fromFile('Ann Bee; Carl Dee')).toEqual(['Ann Bee', 'Carl Dee'])
    expect(fromFile('Some Typist')).toEqual(['A Bee', 'C Dee'])
  })

  it('findAuthors ignores a citation beside the title', () => {
    const page = pageOf([7, 690, `Citation: Dee, M.; Eff, L.`], [7, 680, TITLE], ...head, [
      11,
      650,
      'Ann Bee, Carl Dee',
    ])
    expect(find(page).map((one) => one.value)).toEqual(['Ann Bee', 'Carl Dee'])
  })

  it('findAuthors reads the names on page 2 behind a cover sheet', () => {
    const cover = pageOf(...head, [9, 640, `Bee A, Dee C. ${TITLE}. Warm Drinks. 2020;4:12.`])
    const behind = `${TITLE}\n\nAnn Bee, Carl Dee Department of Tea\n\nAbstract\n\nTea is warm.`
    const pages = [`${TITLE}\n\nBee A, Dee C. ${TITLE}. Warm Drinks. 2020;4:12.`, behind]
    const paragraphs = readParagraphs(pages.map((text, at) => ({ page: at + 1, text, start: 0 })))
    const names = findAuthors(frontMatter(paragraphs, cover), cover, null, TITLE).map((one) => one.value)
    expect(names).toEqual(['Ann Bee', 'Carl Dee'])
  })

  it('findAuthors returns none when the page prints none', () => {
    expect(findAuthors(front(`${TITLE}\n\nUniversity of Tea\n\nTea is warm.`), null, null, TITLE)).toEqual([])
  })
})
