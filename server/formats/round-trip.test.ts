import { describe, expect, it } from 'vitest'
import {
  IMPORT_REFUSALS,
  MAX_IMPORT_BYTES,
  type ReadFormat,
  type WriteFormat,
} from '#shared/contract/reference-formats.ts'
import { CSL_TYPES, type Reference } from '#shared/contract/references.ts'
import { fixtureReferences } from '#tests/helpers/fixture-references.ts'
import { openReferences, readReferences, writeReferences } from './index.ts'

/** The format that reads the files of a writer. */
const READ: Record<WriteFormat, ReadFormat> = {
  bibtex: 'bibtex',
  biblatex: 'bibtex',
  ris: 'ris',
  'csl-json': 'csl-json',
  'endnote-xml': 'endnote-xml',
  nbib: 'nbib',
  csv: 'csv',
}

const FIXTURES = [
  ['embase.ris', 'ris'],
  ['scopus.ris', 'ris'],
  ['web-of-science.ris', 'ris'],
  ['cinahl.ris', 'ris'],
  ['proquest.ris', 'ris'],
  ['asreview.ris', 'ris'],
  ['zotero.bib', 'bibtex'],
  ['jabref.bib', 'bibtex'],
  ['zotero-biblatex.bib', 'bibtex'],
  ['zotero-biblatex.bib', 'biblatex'],
  ['pubmed.nbib', 'nbib'],
  ['endnote-library.xml', 'endnote-xml'],
  ['zotero.json', 'csl-json'],
  ['zotero.csv', 'csv'],
  ['rayyan.csv', 'csv'],
  ['asreview.csv', 'csv'],
  ['pubmed.csv', 'csv'],
] as const

/** Returns references without `custom`, which is not written because its values have no field in the format. */
const plain = (references: Reference[]) => references.map((reference) => ({ ...reference, custom: undefined }))

function reread(references: Reference[], format: WriteFormat): Reference[] {
  const written = [
    ...writeReferences(
      references.map((reference) => ({ reference })),
      format,
    ),
  ].join('')
  const { text, format: detected } = openReferences(Buffer.from(written))
  return [...readReferences(text, detected)].map(({ reference }) => reference!)
}

describe('round trips', () => {
  it.each(FIXTURES)('The references of %s are equal after they are written and read as %s (FMT-53)', (name, format) => {
    const references = fixtureReferences(name)
    expect(references.length).toBeGreaterThan(0)
    expect(plain(reread(references, format))).toEqual(plain(references))
  })

  it('The writers add tags to the keywords, and decisions only if they are given (FMT-52)', () => {
    const reference: Reference = { type: 'book', title: 'A', keyword: 'one', PMID: '1' }
    const item = { reference, tags: ['two'], decision: { value: 'maybe' as const, stage: 'abstract' } }
    for (const format of ['bibtex', 'biblatex', 'ris', 'csl-json', 'endnote-xml', 'nbib', 'csv'] as const) {
      const [record] = [...readReferences([...writeReferences([item], format)].join(''), READ[format])]
      expect(record!.reference!.keyword, format).toBe('one; two')
      expect([...writeReferences([{ reference }], format)].join(''), format).not.toMatch(/decision|maybe/i)
    }
  })

  it('A cell of CSV, or a part of it after a semicolon, that a spreadsheet would run as a formula begins with an apostrophe (FMT-54)', () => {
    const reference: Reference = { type: 'book', title: '=1+1', volume: '-3', publisher: '@SUM; =1; -2', note: '+x' }
    const [, line] = [...writeReferences([{ reference }], 'csv')]
    expect(line).toMatch(/,'=1\+1,.*,-3,.*,'@SUM;' =1; -2,.*,'\+x/)
    expect(reread([reference], 'csv')).toEqual([reference])
  })

  it('A backslash in a DOI or an address begins no command of LaTeX', () => {
    const reference: Reference = {
      type: 'book',
      title: 'A',
      DOI: '10.5555/\\input{/etc/passwd}',
      URL: 'https://a.example/\\x',
    }
    const written = [...writeReferences([{ reference }], 'bibtex')].join('')
    expect(written).toContain('doi = {10.5555/%5Cinput{/etc/passwd}}')
    expect(written).not.toContain('\\')
  })

  it('A reference without a PMID is not written to nbib (FMT-50)', () => {
    expect([...writeReferences([{ reference: { type: 'book', title: 'A' } }], 'nbib')]).toEqual([])
  })

  it('Characters that a format reserves are equal after a round trip', () => {
    const reference: Reference = {
      type: 'article-journal',
      'citation-key': 'key',
      title: 'A & B < C > 5% of $x_1$ #2 {braces} ~ ^ \\ "quotes" <i>E. coli</i>',
      abstract: "Line with, comma; semicolon, 'quotes', ``ticks'' and a dash -- or --- two",
      author: [
        { literal: 'Smith, Jones & Partners' },
        { family: 'Ng', given: 'A.' },
        { family: 'Berg', given: 'Lies', 'non-dropping-particle': 'van den' },
      ],
      keyword: 'Diabetes, Type 2; R&D',
    }
    for (const format of ['bibtex', 'biblatex', 'csl-json', 'endnote-xml', 'csv'] as const)
      expect(reread([reference], format), format).toEqual([reference])
  })
})

describe('round trips of single fields', () => {
  it('One author whose family name and given name have several words is one author after a round trip as CSV', () => {
    const author = (family: string, given: string, particle?: string): Reference => ({
      type: 'book',
      title: 'A',
      author: [{ family, given, ...(particle && { 'non-dropping-particle': particle }) }],
    })
    const references = [
      author('García Márquez', 'Gabriel José'),
      author('Berg', 'Lies Anna', 'van den'),
      author('Ng', 'A.'),
    ]
    expect(reread(references, 'csv')).toEqual(references)
  })

  it('A preprint and a review have their type after a round trip as CSV', () => {
    const references = CSL_TYPES.map((type): Reference => ({ type, title: 'A' }))
    expect(reread(references, 'csv')).toEqual(references)
  })

  it.each([
    ['article', 'article-journal'],
    ['Article', 'article-journal'],
    ['Review', 'article-journal'],
    ['Preprint', 'article'],
    ['preprint', 'article'],
    ['review', 'review'],
    ['Treaty', 'treaty'],
  ])('The type %s of a CSV file is %s', (name, type) => {
    const [record] = [...readReferences(`type,title,journal\n${name},A,B\n`, 'csv')]
    expect(record!.reference!.type).toBe(type)
  })

  it.each(['review', 'review-book', 'periodical'] as const)(
    'A reference of type %s has its journal and issue after a round trip as an article of BibTeX and EndNote',
    (type) => {
      const reference: Reference = { type, title: 'A', 'container-title': 'Journal of Sleep', volume: '12', issue: '3' }
      for (const format of ['bibtex', 'biblatex', 'endnote-xml'] as const)
        expect(reread([reference], format), format).toEqual([{ ...reference, type: 'article-journal' }])
      expect([...writeReferences([{ reference }], 'bibtex')].join('')).toContain('journal = {Journal of Sleep}')
      expect([...writeReferences([{ reference }], 'biblatex')].join('')).toContain('journaltitle = {Journal of Sleep}')
    },
  )

  it('An article with an issue and an article number has both after a round trip as BibTeX', () => {
    const article: Reference = { type: 'article-journal', title: 'A', number: '4567' }
    const references = [article, { ...article, issue: '3' }, { ...article, issue: '3', page: '1-9' }]
    for (const format of ['bibtex', 'biblatex'] as const) {
      expect(reread(references, format), format).toEqual(references)
      const items = references.map((reference) => ({ reference }))
      const [, withoutPages = '', withPages = ''] = writeReferences(items, format)
      expect(withoutPages).toMatch(/ number = \{3\}[^]* eid = \{4567\}/)
      expect(withPages).toMatch(/ number = \{3\}/)
      expect(withPages).not.toContain(' eid = ')
    }
  })

  it('The eid of another program is the page of an article', () => {
    const [record] = [...readReferences('@article{a, title = {A}, number = {3}, eid = {4567}}', 'bibtex')]
    expect(record!.reference).toMatchObject({ issue: '3', page: '4567' })
    expect(record!.reference).not.toHaveProperty('number')
  })

  it('An abstract has its paragraphs after a round trip as CSV and EndNote, and other line breaks become spaces', () => {
    const reference: Reference = { type: 'book', title: 'A', abstract: 'One\nline.\r\n\r\nTwo.' }
    for (const format of ['csv', 'endnote-xml'] as const)
      expect(reread([reference], format), format).toEqual([{ ...reference, abstract: 'One line.\n\nTwo.' }])
  })

  it('An approximate year is approximate after a round trip as RIS and EndNote', () => {
    const references = [true, undefined].map((circa): Reference => {
      const issued = { 'date-parts': [[1999]], ...(circa && { circa }) }
      return { type: 'book', title: 'A', issued }
    })
    for (const format of ['ris', 'endnote-xml'] as const) expect(reread(references, format), format).toEqual(references)
  })

  it('The arXiv id of a paper with and without a PMID is equal after a round trip as RIS, EndNote and CSV', () => {
    const preprint: Reference = { type: 'article', title: 'A', archive: 'arXiv', archive_location: '2201.00001' }
    const references = [preprint, { ...preprint, PMID: '30000001' }]
    for (const format of ['ris', 'endnote-xml', 'csv'] as const)
      expect(plain(reread(references, format)), format).toEqual(references)
    const [ris] = [...writeReferences([{ reference: preprint }], 'ris')]
    // The tags from which Zotero reads an archive.
    expect(ris).toMatch(/AN {2}- 2201\.00001\r\nDB {2}- arXiv\r\n/)
  })

  it('An institution with a comma in its name is no person after a round trip as RIS', () => {
    const names = ['Ministry of Health, Labour and Welfare', 'World Health Organization', 'Acme Inc.']
    const reference: Reference = { type: 'book', title: 'A', author: names.map((literal) => ({ literal })) }
    expect(reread([reference], 'ris')).toEqual([reference])
  })
})

it('A name with an unusual particle and an entry of biblatex-software are equal after they are written as BibTeX (FMT-53)', () => {
  const text = '@softwareversion{a, title = {A}, url = {https://example.org}, author = {Fakultät für Informatik}}'
  const references = [...readReferences(text, 'bibtex')].map(({ reference }) => reference!)
  expect(references).toMatchObject([{ type: 'software', author: [{ family: 'für Informatik', given: 'Fakultät' }] }])
  for (const format of ['bibtex', 'biblatex'] as const) expect(reread(references, format)).toEqual(references)
})

describe('refused files', () => {
  const refusal = (bytes: Uint8Array) => () => {
    const { text, format } = openReferences(bytes)
    return [...readReferences(text, format)]
  }

  it('A file of another kind, without records, or above the limit is refused (FMT-70, FMT-71, FMT-73)', () => {
    expect(refusal(Buffer.from('A text without records.'))).toThrow(IMPORT_REFUSALS.unknownFormat)
    expect(() => [...readReferences('', 'ris')]).toThrow(IMPORT_REFUSALS.noReferences)
    expect(refusal(new Uint8Array(MAX_IMPORT_BYTES + 1))).toThrow(IMPORT_REFUSALS.tooLarge)
    expect(refusal(Buffer.from('TY  - JOUR\nTI  - A\nER  -\n'.repeat(50_001)))).toThrow(IMPORT_REFUSALS.tooManyRecords)
  })
})
