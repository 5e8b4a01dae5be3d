import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeFile } from './decode-file.ts'
import { detectFormat } from './detect-format.ts'
import { writeReferences } from './index.ts'
import { readRis } from './read-ris.ts'

const file = (name: string) =>
  decodeFile(readFileSync(new URL(`../../tests/fixtures/references/${name}`, import.meta.url)))
const records = (text: string) => [...readRis(text)]
const references = (text: string) => records(text).map(({ reference }) => reference)

describe('RIS of the databases', () => {
  it('Embase: each author once, full and short journal, both ISSNs, the DOI of L3, and no PMID (FMT-23)', () => {
    expect(references(file('embase.ris'))).toMatchObject([
      {
        type: 'article-journal',
        title: 'Copper surfaces and hospital-acquired infections: A randomised trial',
        author: [
          { family: 'Okafor', given: 'I.M.' },
          { 'non-dropping-particle': 'van den', family: 'Berg', given: 'L.' },
        ],
        'container-title': 'Journal of Hospital Infection',
        'container-title-short': 'J. Hosp. Infect.',
        issued: { 'date-parts': [[2020, 2, 15]] },
        page: '180-188',
        DOI: '10.1016/j.jhin.2019.12.004',
        ISSN: '1532-2939, 0195-6701',
        abstract: 'Background: Hospital surfaces carry bacteria. Methods: We randomised 12 wards.',
        keyword: 'copper; cross infection',
        custom: { AN: '2004567890', DB: 'Embase' },
      },
    ])
    expect(references(file('embase.ris'))[0]).not.toHaveProperty('PMID')
  })

  it('Scopus: a conference with editors and pages is a paper, and a series is a book (FMT-23)', () => {
    expect(references(file('scopus.ris'))).toMatchObject([
      {
        type: 'paper-conference',
        'container-title': 'Proceedings of the 12th Conference on Evidence Synthesis',
        author: [
          { family: 'Silva', given: 'A.B.' },
          { family: 'Nguyen', given: 'T.' },
        ],
        editor: [{ family: 'Moreau', given: 'P.' }],
        DOI: '10.1145/3450000.3450123',
        note: 'Export Date: 3 May 2022; Cited By: 7',
      },
      { type: 'book', title: 'Advances in Screening', ISBN: '978-3-16-148410-0', publisher: 'Springer' },
    ])
  })

  it('Web of Science: lines without a tag continue the value, and unknown tags are in custom (FMT-23)', () => {
    const [reference] = references(file('web-of-science.ris'))
    expect(reference).toMatchObject({
      title: 'Machine learning for title screening in systematic reviews',
      author: [
        { family: 'Haddad', given: 'R' },
        { family: "O'Brien", given: 'SJ' },
      ],
      keyword: 'machine learning; text mining; screening',
      issued: { 'date-parts': [[2018]] },
      custom: { AN: 'WOS:000426000000004', C1: 'Univ Nairobi, Nairobi, Kenya', PD: 'MAR', PI: 'HOBOKEN' },
    })
  })

  it('CINAHL: the title of T1, the abstract of N2, and the date with other information (FMT-23)', () => {
    expect(references(file('cinahl.ris'))).toMatchObject([
      {
        title: "Nurses' experience of remote care.",
        abstract: 'A qualitative study.',
        issued: { 'date-parts': [[2020, 9]] },
        'citation-key': '141234567',
        'publisher-place': 'Baltimore, Maryland',
        'container-title-short': 'NURS RES',
      },
    ])
  })

  it('ProQuest: text before the first record is ignored, and a missing ER ends at the next TY (FMT-23)', () => {
    expect(references(file('proquest.ris'))).toMatchObject([
      {
        type: 'thesis',
        genre: 'Ph.D.',
        'number-of-pages': '210',
        note: 'Copyright - Database copyright ProQuest LLC\nLast updated - 2020-05-14',
      },
      { type: 'article-newspaper', issued: { 'date-parts': [[2019, 3, 4]] } },
    ])
  })

  it('ASReview: its decisions are offered and stay in the note (FMT-27)', () => {
    const all = records(file('asreview.ris'))
    expect(all.map(({ decision }) => decision)).toEqual([
      { value: 'included', isPrior: true },
      { value: 'excluded' },
      { value: 'unseen' },
    ])
    expect(all[1]!.reference!.note).toBe('ASReview_irrelevant')
  })
})

describe('RIS', () => {
  it.each([
    ['one space before the hyphen', 'TY - JOUR\nTI - A title\nER -'],
    ['spaces before the tag and no space after the hyphen', '  TY  -JOUR\n  TI  -A title\n  ER  -'],
    ['CR as the line end', 'TY  - JOUR\rTI  - A title\rER  - \r'],
    ['CRLF as the line end', 'TY  - JOUR\r\nTI  - A title\r\nER  - \r\n'],
    ['no ER', 'TY  - JOUR\nTI  - A title'],
  ])('A file with %s has one record (FMT-23)', (_what, text) => {
    expect(detectFormat(text)).toBe('ris')
    expect(references(text)).toEqual([{ type: 'article-journal', title: 'A title' }])
  })

  it('A conference with editors and without pages is a book', () => {
    expect(references('TY  - CONF\nTI  - Volume\nA2  - Moreau, P.\nER  -')[0]!.type).toBe('book')
  })

  it.each([
    ['DO  - https://doi.org/10.1000/a', '10.1000/a'],
    ['N1  - 10.1000/a', '10.1000/a'],
    ['M3  - doi: 10.1000/a', '10.1000/a'],
    ['UR  - http://dx.doi.org/10.1000/a', '10.1000/a'],
    ['UR  - https://doi.org/10.1000/a?from=alert', '10.1000/a'],
    [
      'DO  - https://doi.org/10.1002/(SICI)1097-0258(1998)17:15%3C1661::AID-SIM968%3E3.0.CO;2-%23',
      '10.1002/(SICI)1097-0258(1998)17:15<1661::AID-SIM968>3.0.CO;2-#',
    ],
    ['N1  - A comment on 10.1000/a', undefined],
  ])('The line %s has the DOI %s', (line, doi) => {
    expect(references(`TY  - JOUR\nTI  - A title\n${line}\nER  -`)[0]!.DOI).toBe(doi)
  })

  it('The accession number of PubMed is the PMID', () => {
    const [reference] = references('TY  - JOUR\nTI  - A\nAN  - 31806334\nDB  - MEDLINE\nC2  - PMC7012345\nER  -')
    expect(reference).toMatchObject({ PMID: '31806334', PMCID: 'PMC7012345' })
  })

  it('A record without a title and an identifier has a reason, its text and its line, and the others are read (FMT-21, FMT-72)', () => {
    const all = records('TY  - JOUR\nN1  - Only a note\nER  -\n\nTY  - JOUR\nTI  - A title\nER  -')
    expect(all[0]).toEqual({
      position: 1,
      line: 1,
      raw: 'TY  - JOUR\nN1  - Only a note\nER  -',
      reason: 'This record has neither a title nor an identifier.',
    })
    expect(all[1]).toMatchObject({ position: 2, line: 5, reference: { title: 'A title' } })
  })

  it('The stored text of a large record is cut at 64 kB and marked as cut', () => {
    const [record] = records(`TY  - JOUR\nTI  - A title\nAB  - ${'ä'.repeat(50_000)}\nER  -`)
    expect(Buffer.byteLength(record!.raw)).toBeLessThanOrEqual(65_536)
    expect(record!.raw).toMatch(/ä\n\[cut at 64 kB\]$/)
    expect(record!.reference!.abstract).toHaveLength(50_000)
  })
})

describe('writeRis', () => {
  it('A record has line ends CRLF, tags as keywords, notes, and the decision (FMT-51, FMT-52)', () => {
    const written = [
      ...writeReferences(
        [
          {
            reference: { type: 'webpage', title: 'A\npage', keyword: 'one', issued: { literal: 'n.d.' } },
            tags: ['one', 'two'],
            notes: ['First\nSecond'],
            decision: { value: 'excluded', stage: 'full text', reason: 'wrong population' },
          },
        ],
        'ris',
      ),
    ].join('')
    expect(written.split('\r\n')).toEqual([
      'TY  - ELEC',
      'TI  - A page',
      'PY  - n.d.',
      'KW  - one',
      'KW  - two',
      'N1  - First',
      'N1  - Second',
      'N1  - LECTERN-DECISION: excluded; full text; wrong population',
      'ER  - ',
      '',
      '',
    ])
    expect(records(written)[0]!.decision).toEqual({ value: 'excluded', stage: 'full text', reason: 'wrong population' })
  })

  it.each([
    [{ 'date-parts': [[2019, 3, 5]] }, 'PY  - 2019\r\nDA  - 2019/03/05/'],
    [
      {
        'date-parts': [
          [2019, 3],
          [2019, 4],
        ],
      },
      'PY  - 2019\r\nDA  - 2019-03/2019-04',
    ],
    [{ 'date-parts': [[2019]], season: 1 }, 'PY  - 2019\r\nDA  - 2019-21'],
    [{ 'date-parts': [[2019]] }, 'PY  - 2019'],
  ])('The date %j is written as %j and read again', (issued, lines) => {
    const written = [...writeReferences([{ reference: { type: 'book', title: 'A', issued } }], 'ris')].join('')
    expect(written).toContain(`\r\n${lines}\r\nER`)
    expect(references(written)[0]!.issued).toEqual(issued)
  })
})
