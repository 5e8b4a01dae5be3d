import { describe, expect, it } from 'vitest'
import { layoutDocument, type PageItems, type TextItem } from './page-layout.ts'

const WIDTH = 600
const HEIGHT = 800

interface Place {
  x?: number
  size?: number
  font?: string
  /** Width of a letter as a fraction of the font size. */
  letter?: number
}

/** Returns a text item as pdf.js does. */
const item = (str: string, y: number, { x = 60, size = 10, font = 'f1', letter = 0.5 }: Place = {}): TextItem => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: str.length * size * letter,
  fontName: font,
})

/** Returns the text items of lines at a distance of 12 points, from `y` downwards. */
const lines = (texts: readonly string[], y: number, place: Place = {}) =>
  texts.map((text, index) => item(text, y - 12 * index, place))

const page = (items: TextItem[], rotate = 0): PageItems => ({ items, view: [0, 0, WIDTH, HEIGHT], rotate })
const text = (...items: TextItem[]) => layoutDocument([page(items)]).texts[0]

/** A text that fills a line of a column of 40 letters. */
const FULL = 'a line that reaches the edge of its text'

describe('characters', () => {
  it.each([
    ['ligatures', 'e\ufb03cient \ufb01lter of \ufb02ow', 'efficient filter of flow'],
    [
      'ligatures of TeX without a character',
      'coe\u001ecient, \u001crst, sta\u001b and \u000clter',
      'coefficient, first, staff and filter',
    ],
    ['a carriage return at the end of a line', 'of the staf\u000d', 'of the staf'],
    ['a range of numbers of TeX', 'pages 11\u001519', 'pages 11–19'],
    ['accents that TeX draws by themselves', 'M´exico, Fran¸cois and M¨uller', 'México, François and Müller'],
    ['a dotless i under an accent', 'F´\u0131sica', 'Física'],
    ['accents before a space that TeX leaves', 'Jos´ e Garc´ \u0131a', 'José García'],
    [
      'accents that follow their letter',
      'Ste´phane, E´cole, Mu¨ller and A˚ngstro¨m',
      'Stéphane, École, Müller and Ångström',
    ],
    ['an accent at the end of a word', 'a cafe´ and Poincare´', 'a café and Poincaré'],
    ['accents of consonants', 'Kovaˇci´c of Pozna´n', 'Kovačić of Poznań'],
    ['a grave accent inside a word', 'voil`a', 'voilà'],
    ['soft hyphens and control characters', 'hy\u00adphen\u0007ation', 'hyphenation'],
    ['spaces of every width', 'one\u2009two\u00a0three\u3000four', 'one two three four'],
    ['letter-spaced headings', 'A B S T R A C T', 'ABSTRACT'],
    ['decomposed letters', 'e\u0301tude', 'étude'],
  ])('layoutDocument repairs %s', (_what, raw, mended) => {
    expect(text(item(raw, 400))).toBe(mended)
  })

  it.each(['an angle of 45˚ around it', 'at 20˚C and 30˚ at most', 'the patients´ age', 'it´s here and isn´t'])(
    'layoutDocument keeps the characters of %j',
    (raw) => expect(text(item(raw, 400))).toBe(raw),
  )
})

describe('lines and paragraphs', () => {
  it('layoutDocument joins the lines of a paragraph by spaces', () => {
    expect(text(...lines([FULL, 'and goes on here.'], 400))).toBe(`${FULL} and goes on here.`)
  })

  it.each([
    ['the number of an affiliation', 'Jane Deer', '2', ', John Roe', 'Jane Deer², John Roe'],
    ['the letter of an affiliation', 'Jane Deer', 'a,*', ', John Roe', 'Jane Deer a,*, John Roe'],
    ['references after a word', 'in gradients', '62,64', ' as shown', 'in gradients⁶²,⁶⁴ as shown'],
    ['a footnote after a sentence', 'Of all births.', '1', ' The next', 'Of all births.¹ The next'],
    ['a power of ten', 'about 10', '\u22125', ' of them', 'about 10⁻⁵ of them'],
    ['a unit', 'an area of 4 m', '2', ' each', 'an area of 4 m² each'],
    ['a charge', 'with Ca', '2+', ' ions', 'with Ca²⁺ ions'],
    ['an ordinal', 'the 46', 'th', ' of them', 'the 46th of them'],
    ['a century', 'au XVIII', 'e', ' à Paris', 'au XVIIIe à Paris'],
  ])('layoutDocument separates raised characters from words: %s', (_what, before, raised, after, expected) => {
    const mark = item(raised, 404, { x: 60 + before.length * 5, size: 6 })
    const rest = item(after, 400, { x: 60 + before.length * 5 + raised.length * 3 })
    expect(text(item(before, 400), mark, rest)).toBe(expected)
  })

  it('layoutDocument separates the raised number before an affiliation', () => {
    expect(text(item('1', 404, { size: 6 }), item('University of Tea', 400, { x: 63.5 }))).toBe('1 University of Tea')
  })

  it('layoutDocument joins lines of Chinese and Japanese text without a space', () => {
    expect(text(...lines(['我们研究了睡眠与运动之间的', '关系，共有人参加。'], 400))).toBe(
      '我们研究了睡眠与运动之间的关系，共有人参加。',
    )
  })

  it('layoutDocument joins a Korean word that a line end breaks, by the spaces of the file', () => {
    expect(
      text(...lines(['수면과 운동의 관계를 연구하 ', '였으며 참가자는 모두 건강', '하였다 그리고 결과는 다음과'], 400)),
    ).toBe('수면과 운동의 관계를 연구하 였으며 참가자는 모두 건강하였다 그리고 결과는 다음과')
  })

  it('layoutDocument joins a Korean word that a line end breaks, by the words of a file without such spaces', () => {
    const broken = [
      '운동 치료는 수면의 질을 개선한 것으로 운동',
      '치료는 나타났다 참가자 모두에게 운동',
      '은 좋다 참가자 모두',
    ]
    expect(text(...lines(broken, 400))).toBe(
      '운동 치료는 수면의 질을 개선한 것으로 운동 치료는 나타났다 참가자 모두에게 운동은 좋다 참가자 모두',
    )
  })

  it('layoutDocument separates paragraphs at an indent and at a short last line', () => {
    const indented = [
      item(`${FULL}.`, 400),
      item('Here another begins at an indent, as in', 388, { x: 72 }),
      item(FULL, 376),
    ]
    expect(text(...indented)).toBe(`${FULL}.\nHere another begins at an indent, as in ${FULL}`)
    expect(text(...lines([FULL, 'and ends.', 'Another begins that is as long as that'], 400))).toBe(
      `${FULL} and ends.\nAnother begins that is as long as that`,
    )
  })

  it('layoutDocument separates blocks at a larger distance and at another font size', () => {
    expect(text(item('Results', 420, { size: 14 }), ...lines([FULL, FULL], 400), ...lines([FULL], 350))).toBe(
      `Results\n\n${FULL} ${FULL}\n\n${FULL}`,
    )
  })

  it('layoutDocument puts a bold heading in the size of the text on its own line', () => {
    expect(
      text(item('2.1 Design', 412, { font: 'bold' }), ...lines(['This was a trial that ran for long and', FULL], 400)),
    ).toBe(`2.1 Design\nThis was a trial that ran for long and ${FULL}`)
  })

  it('layoutDocument separates the entries of a list with a hanging indent', () => {
    const entry = (n: number, y: number) => [
      item(`[${n}] A. Author. The title of it is long.`, y),
      item('Journal, 2020, with pages and doi.', y - 12, { x: 74 }),
    ]
    expect(text(...entry(1, 400), ...entry(2, 376))).toBe(
      '[1] A. Author. The title of it is long. Journal, 2020, with pages and doi.\n[2] A. Author. The title of it is long. Journal, 2020, with pages and doi.',
    )
  })

  it('layoutDocument returns one line for each row of a table, with tabs between its cells', () => {
    const row = (y: number, ...cells: string[]) => cells.map((cell, index) => item(cell, y, { x: 60 + 120 * index }))
    expect(text(...row(400, 'Age', '71.4', '71.8'), ...row(388, 'Women', '80', '78'))).toBe(
      'Age\t71.4\t71.8\nWomen\t80\t78',
    )
  })
})

describe('hyphens at a line end', () => {
  it.each([
    [
      'a word that occurs unbroken elsewhere',
      'exercise',
      ['we asked for exer-', 'cise every day'],
      'we asked for exercise every day',
    ],
    [
      'a compound seen with its hyphen',
      'long-term',
      ['we looked at long-', 'term effects'],
      'we looked at long-term effects',
    ],
    ['a word seen nowhere else', 'nothing', ['they hypothe-', 'sised it'], 'they hypothesised it'],
    [
      'two words of the paper',
      'group walks, group walks',
      ['it was a group-', 'walks programme'],
      'it was a group-walks programme',
    ],
    ['a number word', 'nothing', ['tests were two-', 'sided'], 'tests were two-sided'],
    ['a name after a hyphen', 'nothing', ['the Navier-', 'Stokes equation'], 'the Navier-Stokes equation'],
    ['a range of numbers', 'nothing', ['on pages 101–', '105 of it'], 'on pages 101–105 of it'],
    ['a web address', 'nothing', ['see https://doi.org/', '10.5555/abc.7'], 'see https://doi.org/10.5555/abc.7'],
    ['a DOI', 'nothing', ['see doi.org/10.5555/jeht.', '2025.0147'], 'see doi.org/10.5555/jeht.2025.0147'],
  ])('layoutDocument resolves a hyphen in %s', (_what, elsewhere, broken, joined) => {
    expect(text(item(elsewhere, 700), ...lines(broken, 400))).toBe(`${elsewhere}\n\n${joined}`)
  })

  it('layoutDocument resolves a hyphen at the end of a column', () => {
    const left = lines([FULL, 'we hypothe-'], 400)
    const right = lines(['sised this', FULL], 700, { x: 320 })
    expect(text(...left, ...right)).toBe(`${FULL} we hypothesised this ${FULL}`)
  })
})

describe('reading order', () => {
  const column = (name: string) =>
    Array.from({ length: 8 }, (_, index) => `${name} line ${index} of its column of words`)
  const left = lines(column('left'), 600)
  const right = lines(column('right'), 600, { x: 320 })
  const expected = [...column('left'), ...column('right')].join(' ')
  const order = (items: TextItem[]) => text(...items)?.replace(/\s+/g, ' ')

  it('layoutDocument keeps the order of a stream that reads column by column', () => {
    expect(order([...left, ...right])).toBe(expected)
  })

  it('layoutDocument separates columns when the stream reads row by row', () => {
    expect(order(left.flatMap((one, index) => [one, right[index]!]))).toBe(expected)
  })

  it('layoutDocument sorts a random stream with a title across both columns', () => {
    const title = item('A title that spans both of the columns of this page here', 660, { size: 16 })
    const items = [...left, ...right].toSorted(
      (a, b) => ((a.str.length * 7 + a.transform[5]! * 13) % 17) - ((b.str.length * 7 + b.transform[5]! * 13) % 17),
    )
    expect(order([...items, title])).toBe(`${title.str} ${expected}`)
  })

  it('layoutDocument reads three columns', () => {
    const columns = ['one', 'two', 'three'].map((name, index) =>
      lines(
        column(name).map((line) => line.slice(0, 24)),
        600,
        { x: 60 + 170 * index },
      ),
    )
    const woven = columns[0]!.flatMap((_, row) => columns.map((lines) => lines[row]!))
    expect(order(woven)).toBe(
      columns
        .flat()
        .map(({ str }) => str.trim())
        .join(' '),
    )
  })

  it('layoutDocument leaves a margin column at its place in the stream', () => {
    const margin = lines(['Submitted:', '02 March 2021', 'License'], 500, { x: 20, size: 8, letter: 0.4 })
    const main = lines(column('main'), 600, { x: 170 })
    expect(order([...main, ...margin])).toBe([...column('main'), 'Submitted: 02 March 2021 License'].join(' '))
  })
})

describe('direction', () => {
  const turned = (str: string, x: number, y: number): TextItem => ({
    str,
    transform: [0, 10, -10, 0, x, y],
    width: str.length * 5,
  })

  it('layoutDocument drops margin stamps and slanted text', () => {
    const watermark: TextItem = { str: 'DRAFT', transform: [30, 30, -30, 30, 200, 300], width: 200 }
    expect(text(turned('arXiv:2401.00001v1', 20, 300), ...lines([FULL, 'end of it'], 400), watermark)).toBe(
      `${FULL} end of it`,
    )
  })

  it('layoutDocument reads a landscape table on a portrait page', () => {
    const rows = ['Table 2.', 'Everything is in it, and it is as long as', 'that.'].map((str, index) =>
      turned(str, 100 + 12 * index, 60),
    )
    expect(text(...rows)).toBe('Table 2.\nEverything is in it, and it is as long as that.')
  })

  it('layoutDocument reads a page with /Rotate', () => {
    const rows = [FULL, 'to its end'].map((str, index) => turned(str, 100 + 12 * index, 60))
    const { texts, firstPage } = layoutDocument([page(rows, 90)])
    expect(texts[0]).toBe(`${FULL} to its end`)
    expect(firstPage).toMatchObject({ width: HEIGHT, height: WIDTH })
  })
})

describe('running heads', () => {
  const paged = (make: (page: number) => TextItem[], count = 4) =>
    layoutDocument(Array.from({ length: count }, (_, index) => page(make(index + 1)))).texts

  it.each([
    ['a journal above', (n: number) => [item(`J Trials 2025; 7: ${100 + n}`, 770)]],
    ['a page number below', (n: number) => [item(`${100 + n}`, 30, { x: 300 })]],
    [
      '"Page n of m" beside a line that recurs',
      (n: number) => [item('doi:10.5555/x', 30), item(`Page ${n} of 4`, 30, { x: 500 })],
    ],
    ['left and right heads', (n: number) => [item(n % 2 ? 'Deer and Roe' : 'The title of it', 770)]],
    ['a roman page number', (n: number) => [item(['i', 'ii', 'iii', 'iv'][n - 1]!, 30, { x: 300 })]],
  ])('layoutDocument drops running heads: %s', (_what, head) => {
    const texts = paged((n) => [...head(n), ...lines([`Body of page ${n} is here`, FULL], 500)])
    expect(texts).toEqual([1, 2, 3, 4].map((n) => `Body of page ${n} is here ${FULL}`))
  })

  it('layoutDocument returns each running head once', () => {
    const heads = (n: number) => [item(n % 2 ? 'Deer and Roe' : 'Journal of Tea 7 (2021)', 770), item(`${n}`, 30)]
    const pages = [1, 2, 3, 4, 5, 6].map((n) => page([...heads(n), ...lines([`Body of page ${n} is here`, FULL], 500)]))
    expect(layoutDocument(pages).firstPage.heads).toEqual(['Deer and Roe', 'Journal of Tea 7 (2021)'])
  })

  it.each([
    ['text that recurs in the middle of pages', () => [item('The same words', 400)], 'The same words'],
    ['numbers of a table', (n: number) => [item(String(n * 17), 400)], '17'],
    ['the first line of a page that does not recur', (n: number) => [item('ABCD'[n - 1]!.repeat(9), 770)], 'AAAAAAAAA'],
  ])('layoutDocument does not drop %s', (_what, body, kept) => {
    expect(paged((n) => body(n))[0]).toBe(kept)
  })

  it('layoutDocument does not drop a word that recurs on one page only', () => {
    expect(text(item('the', 770), item('the', 770, { x: 300 }), item('end', 700))).toContain('the\tthe')
  })

  it('layoutDocument drops the line numbers of a manuscript', () => {
    const body = Array.from({ length: 20 }, (_, index) => [
      item(String(index + 1), 700 - 24 * index, { x: 40, size: 8 }),
      item(FULL, 700 - 24 * index, { x: 80 }),
    ]).flat()
    expect(text(...body)?.match(/\d+/g)).toBeNull()
  })
})

describe('a document', () => {
  it('layoutDocument keeps empty pages and accepts a document without pages (EXTR-09)', () => {
    expect(layoutDocument([page([]), page([item('Words', 400)])]).texts).toEqual(['', 'Words'])
    expect(layoutDocument([])).toEqual({ texts: [], firstPage: { width: 0, height: 0, lines: [], heads: [] } })
  })

  it('layoutDocument returns the first page with running heads, sizes and positions', () => {
    const head = [item('Deer and Roe', 770, { size: 8 }), item('J Trials', 770, { x: 500, size: 8 })]
    const { firstPage } = layoutDocument([page([...head, item('The title', 700, { size: 18 })])])
    expect(firstPage).toEqual({
      width: WIDTH,
      height: HEIGHT,
      lines: [
        { text: 'Deer and Roe', size: 8, x: 60, y: 770 },
        { text: 'J Trials', size: 8, x: 500, y: 770 },
        { text: 'The title', size: 18, x: 60, y: 700 },
      ],
      heads: [],
    })
  })

  it('layoutDocument accepts 20,000 scattered and broken items', () => {
    const wild = Array.from({ length: 20_000 }, (_, index) =>
      item(`${index}-`, (index * 7919) % HEIGHT, { x: (index * 104_729) % WIDTH, size: 1 + (index % 40) }),
    )
    wild.push({ str: 'broken', transform: [], width: Number.NaN }, item('\u0000', Number.NaN))
    expect(layoutDocument([page(wild)]).texts).toHaveLength(1)
  })
})
