import { describe, expect, it } from 'vitest'
import { fixtureRecords, fixtureReferences } from '#tests/helpers/fixture-references.ts'
import { inspectReferences, matchColumns, readReferences } from './index.ts'

describe('PubMed', () => {
  const authors = [{ family: 'Okafor', given: 'Ike M' }, { literal: 'Copper Study Group' }]

  it('nbib: continued values, full names, the DOI, headings and the chapter of a book are read (FMT-24)', () => {
    const [article, chapter] = fixtureReferences('pubmed.nbib')
    expect(article).toMatchObject({
      title: 'Copper surfaces and hospital-acquired infections: A randomised trial.',
      author: [authors[0], { 'non-dropping-particle': 'van den', family: 'Berg', given: 'Lotte' }, authors[1]],
      'container-title': 'The Journal of hospital infection',
      'container-title-short': 'J Hosp Infect',
      issued: { 'date-parts': [[2020, 2]] },
      keyword: '*Copper; Cross Infection/*prevention & control; Antimicrobial surface',
      ISSN: '1532-2939, 0195-6701',
      DOI: '10.1016/j.jhin.2019.12.004',
      PMID: '31806334',
      PMCID: 'PMC7012345',
    })
    expect(chapter).toMatchObject({
      type: 'chapter',
      'container-title': 'Gene reviews',
      title: 'An overview of a disease',
    })
  })

  it.each([
    ['a repeated PMID', 'PMID- 1\nTI  - A\nPMID- 2\nTI  - B\n'],
    ['the first tag after a blank line', 'OWN - NLM\nTI  - A\n\nOWN - NLM\nTI  - B\n'],
  ])('A record of nbib starts at %s (FMT-24)', (_start, text) => {
    expect([...readReferences(text, 'nbib')].map(({ reference }) => reference?.title)).toEqual(['A', 'B'])
  })

  it('XML: markup, entities, labelled abstracts, headings and books are read (FMT-20)', () => {
    expect(fixtureReferences('pubmed.xml')).toMatchObject([
      {
        title: 'Copper & <i>Staphylococcus aureus</i> at 37°C.',
        author: authors,
        abstract: 'BACKGROUND: Surfaces carry bacteria. METHODS: We randomised 12 wards.',
        issued: {
          'date-parts': [
            [2020, 1],
            [2020, 2],
          ],
        },
        keyword: 'Cross Infection/*prevention & control',
        DOI: '10.1016/j.jhin.2019.12.004',
        PMCID: 'PMC7012345',
      },
      {
        type: 'chapter',
        PMID: '20301295',
        editor: [{ family: 'Moreau', given: 'Paul' }],
        publisher: 'University of Washington',
      },
    ])
  })
})

describe('EndNote', () => {
  it('XML: text in several styles keeps its order and spaces, and a record without an end tag does not stop the others (FMT-21, FMT-25)', () => {
    const [article, chapter, broken, thesis] = fixtureRecords('endnote-library.xml')
    expect(article!.reference).toMatchObject({
      title: 'Copper against <i>Staphylococcus aureus</i> at low H<sub>2</sub>O <5%',
      author: [{ family: 'Okafor', given: 'Ike M.' }, { literal: 'Copper Study Group' }],
      issued: { 'date-parts': [[2020, 2, 15]] },
      PMID: '31806334',
      PMCID: 'PMC7012345',
      ISSN: '1532-2939, 0195-6701',
      custom: { 'pdf-urls': 'internal-pdf://0123/copper.pdf' },
    })
    expect(chapter!.reference).toMatchObject({
      type: 'chapter',
      ISBN: '978-3-16-148410-0',
      custom: { 'accession-num': '2004567890' },
    })
    expect(chapter!.reference).not.toHaveProperty('PMID')
    expect(broken).toMatchObject({ line: 3, reason: 'Line 3: the record has no end' })
    expect(thesis!.reference).toEqual({ type: 'thesis', title: 'The record after it' })
  })

  it('The tagged format: several values in a tag, organisations and types are read (FMT-20)', () => {
    expect(fixtureReferences('endnote.enw')).toMatchObject([
      {
        type: 'chapter',
        author: [{ family: 'Larsson', given: 'Karin' }, { literal: 'World Health Organization' }],
        keyword: 'layout; reading order',
        DOI: '10.1000/lund.1',
      },
      { type: 'thesis', author: [{ family: 'Larsson', given: 'Karin' }] },
    ])
  })

  it('A type without any value is no record (FMT-21)', () => {
    const records = [...readReferences('%0 Journal\n%0 Book\n%T Naps\n%0 Thesis\n', 'endnote-tagged')]
    expect(records).toMatchObject([{ position: 1, line: 2, reference: { type: 'book', title: 'Naps' } }])
  })
})

describe('hostile XML', () => {
  const records = (body: string) => [
    ...readReferences(`<xml><records><record>${body}</record></records></xml>`, 'endnote-xml'),
  ]

  it.each([
    ['elements in 1,000,000 levels', '<a>'.repeat(1_000_000) + '</a>'.repeat(1_000_000)],
    ['elements in 1,000 levels', '<a>'.repeat(1000) + '</a>'.repeat(1000)],
    ['a line of 40 MB', `<titles><title>${'x'.repeat(40_000_000)}</title></titles>`],
    ['entities', '<!DOCTYPE a [<!ENTITY x "y">]><titles><title>&x;</title></titles>'],
  ])('A record with %s has a reason (FMT-28)', (_what, body) => {
    expect(records(body)).toMatchObject([{ position: 1, reason: expect.stringMatching(/^Line 1: /) }])
  })

  it('1,000,000 nested records are refused at the limit of records (FMT-28, FMT-71)', () => {
    const text = `<xml><records>${'<record>'.repeat(1_000_000)}${'</record>'.repeat(1_000_000)}`
    expect(() => [...readReferences(text, 'endnote-xml')]).toThrow('more than 50,000 records')
  })

  it('An entity of a document type definition stays text (FMT-28)', () => {
    const text =
      '<!DOCTYPE xml [<!ENTITY x "expanded">]><xml><records><record><titles><title>A &x; B</title></titles></record></records></xml>'
    expect([...readReferences(text, 'endnote-xml')][0]!.reference!.title).toBe('A &x; B')
  })
})

describe('other formats', () => {
  it('Web of Science: full names, pages and the date are read (FMT-20)', () => {
    expect(fixtureReferences('web-of-science.txt')).toMatchObject([
      {
        title: 'Machine learning for title screening in systematic reviews',
        author: [
          { family: 'Haddad', given: 'Rana' },
          { family: "O'Brien", given: 'Sean J.' },
        ],
        issued: { 'date-parts': [[2018, 3]] },
        page: '33-45',
        keyword: 'machine learning; text mining; SYSTEMATIC REVIEWS',
      },
    ])
  })

  it('CSL-JSON: numbers become text, unknown members are in custom, and a broken item does not stop the others (FMT-21)', () => {
    const [first, second, broken, last] = fixtureRecords('zotero.json')
    expect(first!.reference).toMatchObject({
      volume: '104',
      issued: { 'date-parts': [[2020, 2, 15]] },
      'citation-key': 'okafor2020',
      custom: { libraryCatalog: 'PubMed' },
    })
    expect(second!.reference).toMatchObject({ type: 'document', issued: { 'date-parts': [[2019]] } })
    expect(broken).toMatchObject({ line: 4, reason: expect.stringMatching(/^Line 4: /) })
    expect(last).toMatchObject({ line: 5, reference: { title: 'The item after it' } })
  })
})

describe('CSV', () => {
  it('The decisions of ASReview are offered (FMT-26, FMT-27)', () => {
    const all = fixtureRecords('asreview.csv')
    expect(all.map(({ decision }) => decision?.value)).toEqual(['included', 'excluded', 'unseen'])
    expect(all[0]!.reference).toMatchObject({
      title: 'Copper surfaces, again',
      abstract: 'A "quoted" abstract',
      author: [
        { family: 'Okafor', given: 'Ike' },
        { family: 'Berg', given: 'Lotte', 'non-dropping-particle': 'van den' },
      ],
    })
  })

  it.each([
    ['rayyan.csv', { PMID: '31806334', issued: { 'date-parts': [[2020, 2, 15]] } }],
    ['zotero.csv', { 'citation-key': 'ABCD1234', keyword: 'copper; wards', issued: { 'date-parts': [[2020, 2, 15]] } }],
    ['pubmed.csv', { PMID: '31806334', 'container-title': 'J Hosp Infect' }],
  ])('The columns of %s are matched (FMT-26)', (name, expected) => {
    const [reference] = fixtureReferences(name)
    expect(reference).toMatchObject({
      type: 'article-journal',
      title: 'Copper surfaces',
      DOI: '10.1016/j.jhin.2019.12.004',
      ...expected,
    })
    expect(reference!.author!.slice(0, 2).map(({ family }) => family)).toEqual(['Okafor', 'Berg'])
  })

  it.each([
    ['Nguyen Van, Thi Hoa', ['Nguyen Van']],
    ['García Márquez, Gabriel José', ['García Márquez']],
    ['van den Berg, Ann Mary', ['Berg']],
    ['García Márquez, G. J.', ['García Márquez']],
    ['Smith J, Doe A', ['Smith', 'Doe']],
    ['Ada Lovelace, Mary Somerville', ['Lovelace', 'Somerville']],
    ['John Smith, Jane Doe and Bob Lee', ['Smith', 'Doe', 'Lee']],
    ['John Smith, Jane Doe, Ann Roe, and Bob Lee', ['Smith', 'Doe', 'Roe', 'Lee']],
    ['Smith JA, Jones B and Lee C', ['Smith', 'Jones', 'Lee']],
    ['Smith, John and Nguyen Van, Thi Hoa', ['Smith', 'Nguyen Van']],
    ['García Márquez, Gabriel José and John Smith', ['García Márquez', 'Smith']],
  ])('The cell of authors %j has the family names %j (FMT-26)', (cell, families) => {
    const [record] = readReferences(`title,authors\nNaps,"${cell}"\n`, 'csv')
    expect(record!.reference!.author!.map(({ family }) => family)).toEqual(families)
  })

  it.each([',', '\t'])(
    'A quotation mark that is never closed stops only its own record, with the separator %j (FMT-21)',
    (separator) => {
      const rows = [
        ['title', 'year'],
        ['"Naps ""and"" wards"', '2019'],
        [],
        ['"Nap time and recall', '2020'],
        ['Copper', '2021'],
        ['Zinc', '2022'],
      ]
      const records = [...readReferences(rows.map((row) => row.join(separator)).join('\r\n'), 'csv')]
      expect(records.map(({ line, reference, reason }) => [line, reference?.title ?? reason])).toEqual([
        [2, 'Naps "and" wards'],
        [4, 'Line 4: a quotation mark is not closed'],
        [5, 'Copper'],
        [6, 'Zinc'],
      ])
      expect(records[1]!.raw).toBe(`"Nap time and recall${separator}2020`)
    },
  )

  it('The preview of a file has the rows around a quotation mark that is never closed', () => {
    const { count, columns } = inspectReferences('title,year\n"Naps,2019\nWards,2020\n', 'csv')
    expect([count, columns?.rows]).toEqual([2, [['"Naps,2019'], ['Wards', '2020']]])
  })

  it('The columns that a user chose replace the matched columns (FMT-26)', () => {
    const text = 'title;other\nWrong;Right\n'
    expect(matchColumns(['Title', 'Published Year', 'DOI'])).toEqual({ title: 0, year: 1, DOI: 2 })
    expect([...readReferences(text, 'csv', { title: 1 })][0]!.reference!.title).toBe('Right')
  })
})

describe('CSL-JSON', () => {
  it('A record with deeply nested values has a reason, and the others are read', () => {
    const nested = (depth: number) => `{"type":"book","title":"A","own":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const records = [...readReferences(`[${nested(5)},${nested(200_000)},${nested(1)}]`, 'csl-json')]
    expect(records.map(({ reason }) => reason)).toEqual([
      undefined,
      'Line 1: the values are nested too deeply',
      undefined,
    ])
  })
})
