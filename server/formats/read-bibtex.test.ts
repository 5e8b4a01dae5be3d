import { describe, expect, it } from 'vitest'
import { fixtureRecords, fixtureReferences } from '#tests/helpers/fixture-references.ts'
import { bibtexEntries, fieldsOfEntry } from './bibtex-entries.ts'
import { readReferences, writeReferences } from './index.ts'

const read = (text: string) => [...readReferences(text, 'bibtex')]
const written = (text: string, asLatex = false) =>
  [
    ...writeReferences(
      read(text).map(({ reference }) => ({ reference: reference! })),
      'bibtex',
      { asLatex },
    ),
  ].join('')

describe('BibTeX', () => {
  it('Zotero: names, protected case, LaTeX, keywords and the date are read, and the file is in custom (FMT-22)', () => {
    expect(fixtureReferences('zotero.bib')).toMatchObject([
      {
        type: 'article-journal',
        'citation-key': 'okafor_copper_2020',
        title:
          'Copper against <span class="nocase">Staphylococcus</span> aureus: the <span class="nocase">COPPER</span> trial & more',
        author: [
          { family: 'Okafor', given: 'Ike M.' },
          { 'non-dropping-particle': 'van den', family: 'Berg', given: 'Lotte' },
          { literal: 'Copper Study Group' },
        ],
        abstract: 'Background: 5% of surfaces carry bacteria.',
        issued: { 'date-parts': [[2020, 2]] },
        accessed: { 'date-parts': [[2022, 5, 3]] },
        URL: 'https://example.org/copper_trial',
        keyword: 'Copper; Cross infection',
        issue: '2',
        page: '180-188',
        custom: { file: 'Full Text PDF:/home/user/Zotero/storage/ABC/copper.pdf:application/pdf' },
      },
      { type: 'thesis', genre: 'PhD Thesis', publisher: 'Lund University', 'publisher-place': 'Lund' },
    ])
  })

  it('BibLaTeX: ranges, uncertain dates, eprints, xdata and crossref are read (FMT-22)', () => {
    const [article, preprint, xdata, book, chapter] = fixtureRecords('zotero-biblatex.bib')
    expect(article!.reference).toMatchObject({
      issued: {
        'date-parts': [
          [2020, 2],
          [2020, 3],
        ],
      },
      PMID: '31806334',
    })
    expect(preprint!.reference).toMatchObject({
      type: 'article',
      issued: { 'date-parts': [[2021]], circa: true },
      archive_location: '2101.00001',
    })
    expect(xdata!.reason).toBe('This record has neither a title nor an identifier.')
    expect(book!.reference).toMatchObject({
      type: 'book',
      publisher: 'Lund University Press',
      'publisher-place': 'Lund',
    })
    expect(chapter!.reference).toMatchObject({
      type: 'chapter',
      title: 'Reading order',
      'container-title': 'Scanned documents',
      editor: [{ family: 'Moreau', given: 'Paul' }],
      issued: { 'date-parts': [[2017]] },
      publisher: 'Lund University Press',
    })
  })

  it('JabRef: strings, parentheses and groups are read, and an entry without an end does not stop the others (FMT-21, FMT-22, FMT-72)', () => {
    const all = fixtureRecords('jabref.bib')
    expect(all.map(({ reference }) => reference?.title)).toEqual([
      'Copper surfaces and Müller\'s <span class="nocase">DNA</span> test',
      'Scanned documents',
      'An entry without a key',
      undefined,
      'The entry after it',
    ])
    expect(all[0]).toMatchObject({
      tags: ['Included', 'Wards'],
      reference: {
        'container-title': 'Journal of Hospital Infection',
        author: [{ family: 'Okafor' }, { family: 'Berg' }],
      },
    })
    expect(all[3]).toMatchObject({ line: 22, reason: 'Line 22: no closing brace' })
  })

  it('JabRef: the group tree of old versions assigns groups to entries by their keys', () => {
    const groups = '@comment{jabref-meta: groupstree:\n0 AllEntriesGroup:;\n1 ExplicitGroup:Wards\\;0\\;a\\;;\n}'
    expect(read(`@article{a, title = {A}}\n@article{b, title = {B}}\n${groups}`).map(({ tags }) => tags)).toEqual([
      ['Wards'],
      undefined,
    ])
  })

  it('Entries inherit from an entry in another slice, when the file has more entries than a slice', () => {
    const entries = Array.from(
      { length: 150 },
      (_, at) => `@inproceedings{k${at}, crossref = {p}, title = {Title ${at}}}`,
    )
    const all = read(`${entries.join('\n')}\n@proceedings{p, title = {Proceedings}, year = 2011}`)
    expect(all).toHaveLength(151)
    expect(all.slice(0, 150).every(({ reference }) => reference?.['container-title'] === 'Proceedings')).toBe(true)
    expect(all[120]).toMatchObject({ position: 121, line: 121, reference: { title: 'Title 120' } })
  })

  it('Percent signs, less-than signs and dollar signs of sloppy files are text', () => {
    const [record] = read(
      '@article{a, title = {5 % of A < B}, abstract = {$p<0.05$ and C > D}, url = {https://a.org/a%20b}}',
    )
    expect(record!.reference).toMatchObject({
      title: '5 % of A < B',
      abstract: expect.stringMatching(/<\s?0\.05 and C > D$/),
      URL: 'https://a.org/a%20b',
    })
  })

  it('Non-ASCII characters are written as LaTeX only on request (FMT-51)', () => {
    const source = '@article{a, author = {Müller, Jörg}, title = {Über 5 % & {DNA}’s}}'
    expect(written(source)).toContain('  title = {Über 5 \\% \\& {DNA}’s},\n')
    const latex = written(source, true)
    expect(latex).toMatch(/^[\0-\x7F]*$/)
    expect(read(latex)[0]!.reference).toEqual(read(source)[0]!.reference)
  })

  it('The fields of an entry with a word of 300,000 letters are found', () => {
    const word = 'a'.repeat(300_000)
    const [entry] = bibtexEntries(`@article{k, ${word}, title = {Naps}, ${word}}`)
    expect(fieldsOfEntry(entry!)).toMatchObject({ key: 'k', fields: [{ name: 'title' }] })
  })
})
