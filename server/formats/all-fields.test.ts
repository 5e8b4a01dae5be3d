import { describe, expect, it } from 'vitest'
import type { ReadFormat, WriteFormat } from '#shared/contract/reference-formats.ts'
import {
  CSL_DATE_FIELDS,
  CSL_NAME_FIELDS,
  CSL_TEXT_FIELDS,
  CSL_TYPES,
  type CslName,
  type Reference,
} from '#shared/contract/references.ts'
import { SAMPLE_REFERENCES } from '#tests/helpers/sample-references.ts'
import { readReferences, writeReferences } from './index.ts'

type Field = Exclude<keyof Reference, 'id' | 'type' | 'custom'>

/** What a format cannot hold, so that a reference differs after it was written and read. */
interface Losses {
  read: ReadFormat
  /** The fields that are lost. */
  fields: Field[]
  /** The fields that are lost in a type, and not in others. */
  fieldsOf?: Partial<Record<Reference['type'], Field[]>>
  /** The fields that are lost, but not in this type. */
  heldOf?: Partial<Record<Reference['type'], Field[]>>
  /** The type as which a type is read. */
  types: Partial<Record<Reference['type'], Reference['type']>>
  /** Changes of the values of a field. */
  changes?: Partial<{ [Name in Field]: (value: NonNullable<Reference[Name]>) => Reference[Name] }>
}

/** Fields that only CSL-JSON can hold. */
const RARE = `
  annote archive_collection archive-place authority collection-number dimensions division journalAbbreviation
  jurisdiction license medium original-publisher original-publisher-place original-title page-first part-number
  part-title printing-number references reviewed-genre reviewed-title scale source status supplement-number
  volume-title year-suffix chair compiler composer contributor curator director editorial-director editor-translator
  executive-producer guest host illustrator interviewer narrator organizer original-author performer producer
  recipient reviewed-author script-writer series-creator available-date original-date submitted
`
  .trim()
  .split(/\s+/) as Field[]
const EVENT: Field[] = ['event-title', 'event-place', 'event-date']
const PARTS_OF_BOOKS: Field[] = ['container-author', 'chapter-number', 'number-of-pages']

/** The fields that RIS and EndNote hold where other types have their edition or pages. */
const IN_SHARED_FIELDS: Losses['heldOf'] = {
  book: ['number-of-pages'],
  dataset: ['version'],
  software: ['version'],
  thesis: ['number-of-pages'],
}

/** The types that BibTeX, RIS and EndNote read as another type. */
const RARE_TYPES: Losses['types'] = {
  ...Object.fromEntries(
    ['broadcast', 'classic', 'collection', 'entry', 'event', 'figure', 'interview', 'musical_score', 'pamphlet']
      .concat(['performance', 'personal_communication', 'regulation', 'treaty'])
      .map((type) => [type, 'document']),
  ),
  manuscript: 'article',
  periodical: 'article-journal',
  post: 'webpage',
  review: 'article-journal',
  'review-book': 'article-journal',
}

const inOneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ')

const BIBTEX: Losses = {
  read: 'bibtex',
  fields: [...RARE, 'call-number', 'collection-editor', 'section'],
  types: {
    ...RARE_TYPES,
    bill: 'legislation',
    'entry-dictionary': 'entry-encyclopedia',
    graphic: 'document',
    hearing: 'legal_case',
    map: 'document',
    'post-weblog': 'webpage',
    speech: 'document',
  },
  changes: {
    abstract: inOneLine,
    note: inOneLine,
    title: (text) => text.replace('<sub>2</sub>', '₂'),
    // A particle after the given name is a part of the given name.
    author: (names) => names.map(particleInGiven),
  },
}

function particleInGiven({ 'dropping-particle': particle, ...name }: CslName): CslName {
  return particle ? { ...name, given: `${name.given} ${particle}` } : name
}

const LOSSES: Record<Exclude<WriteFormat, 'nbib'>, Losses> = {
  'csl-json': { read: 'csl-json', fields: [], types: {} },
  csv: {
    read: 'csv',
    fields: [...RARE, 'event-place', 'event-date', 'chapter-number'],
    types: {},
  },
  bibtex: BIBTEX,
  biblatex: BIBTEX,
  ris: {
    read: 'ris',
    // `genre` is read for a report or a thesis only, because other types have a DOI or the kind of an article in its tag.
    fields: [...RARE, ...EVENT, ...PARTS_OF_BOOKS, 'version'],
    heldOf: IN_SHARED_FIELDS,
    types: RARE_TYPES,
    changes: { abstract: inOneLine },
  },
  'endnote-xml': {
    read: 'endnote-xml',
    fields: [...RARE, ...EVENT, ...PARTS_OF_BOOKS, 'version'],
    heldOf: IN_SHARED_FIELDS,
    // The number of a journal article is its issue.
    fieldsOf: { 'article-journal': ['number'] },
    types: { ...RARE_TYPES, speech: 'motion_picture' },
  },
}
const FORMATS = Object.keys(LOSSES) as (keyof typeof LOSSES)[]

/** Writes references in a format and reads them again, without the fields of the format that CSL does not have. */
function reread(references: Reference[], format: WriteFormat, asLatex = false): Reference[] {
  const items = references.map((reference) => ({ reference }))
  const written = [...writeReferences(items, format, { asLatex })].join('')
  return [...readReferences(written, LOSSES[format as keyof typeof LOSSES].read)].map(({ reference }) => {
    const { custom: _custom, ...read } = reference!
    return read
  })
}

/** Returns a reference without everything that a format cannot hold. */
function heldBy(format: keyof typeof LOSSES, reference: Reference): Reference {
  const { fields, fieldsOf, heldOf, types, changes = {} } = LOSSES[format]
  const held = heldOf?.[reference.type] ?? []
  const lost = new Set<string>([
    ...fields.filter((field) => !held.includes(field)),
    ...(fieldsOf?.[reference.type] ?? []),
  ])
  const changed = Object.entries(reference).flatMap(([name, value]) => {
    const change = changes[name as Field] as ((value: unknown) => unknown) | undefined
    return lost.has(name) ? [] : [[name, change ? change(value) : value]]
  })
  return { ...(Object.fromEntries(changed) as Reference), type: types[reference.type] ?? reference.type }
}

describe.each(FORMATS)('the format %s', (format) => {
  it('The usual fields of references are equal after a round trip, except values that the format cannot hold', () => {
    const held = SAMPLE_REFERENCES.map((reference) => heldBy(format, reference))
    expect(reread(SAMPLE_REFERENCES, format)).toEqual(held)
    if (format === 'bibtex' || format === 'biblatex') expect(reread(SAMPLE_REFERENCES, format, true)).toEqual(held)
  })

  it('Every type of CSL is read as it was written, except types that the format cannot hold', () => {
    const references = CSL_TYPES.map((type): Reference => ({ type, title: 'A', 'container-title': 'B' }))
    expect(reread(references, format)).toEqual(references.map((reference) => heldBy(format, reference)))
  })

  it('Every field of CSL is read as it was written, except fields that the format cannot hold', () => {
    const lost = [...CSL_TEXT_FIELDS, ...CSL_NAME_FIELDS, ...CSL_DATE_FIELDS].filter((field) => {
      const reference: Reference = { type: 'report', title: 'A', archive_location: '7', [field]: valueOf(field) }
      const [read] = reread([reference], format)
      return JSON.stringify(read![field]) !== JSON.stringify(reference[field])
    })
    expect(lost.toSorted()).toEqual(LOSSES[format].fields.toSorted())
  })
})

const VALUES: Partial<Record<Field, string>> = {
  DOI: '10.1000/a(b)<c>;2-#',
  ISBN: '978-3-16-148410-0',
  ISSN: '1234-5678',
  PMCID: 'PMC123',
  URL: 'https://example.org/x?y=1&z=%20#a_b',
}

function valueOf(field: Field) {
  if ((CSL_NAME_FIELDS as readonly string[]).includes(field)) return [{ family: 'Smith', given: 'Jo' }]
  if ((CSL_DATE_FIELDS as readonly string[]).includes(field)) return { 'date-parts': [[2020, 3, 5]] }
  return VALUES[field] ?? '7'
}
