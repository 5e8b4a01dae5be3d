import type { CslName, Reference } from '#shared/contract/references.ts'
import { familyFirst, initialsLast } from '#shared/references/names.ts'
import {
  addCustom,
  addKeywords,
  addNames,
  addNotes,
  oneLine,
  setDate,
  setDoi,
  setText,
  type TextField,
} from './draft.ts'
import { readRecord, type ReadRecord } from './read-record.ts'
import { readType, type CslType } from './reference-types.ts'
import { allOf, taggedRecords, valuesOf, type TaggedDialect, type TaggedValues } from './tagged-lines.ts'

const LINE = /^(?=.{4}-)([A-Z]{2,4}) *-(?: (.*)|(\S.*)?)$/s

/**
 * Returns the rules of the nbib format. A record starts at a second PMID. It also starts at the line after a blank line, if the
 * line has the tag with which the file begins.
 */
function dialect(): TaggedDialect {
  let first: string | undefined
  return {
    split: (line) => {
      const found = LINE.exec(line)
      return found && [found[1]!, found[2] ?? found[3] ?? '']
    },
    starts: (tag, afterBlank, record) => {
      first ??= tag
      if (record === null) return true
      return (tag === 'PMID' && record.fields.some(([known]) => known === 'PMID')) || (afterBlank && tag === first)
    },
  }
}

/** Reads the PubMed format (nbib, MEDLINE). Unknown tags are in `custom`. */
export function* readNbib(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of taggedRecords(text, dialect()))
    yield readRecord(record, ++position, () => ({ reference: toReference(valuesOf(record)) }))
}

/** For each text field, its tags in nbib. The first tag with a value is read; the first tag in the list is written. */
export const NBIB_TEXT: [TextField, ...tags: string[]][] = [
  ['PMID', 'PMID'],
  ['PMCID', 'PMC'],
  ['container-title-short', 'TA'],
  ['volume', 'VI'],
  ['issue', 'IP'],
  ['publisher', 'PB'],
  ['publisher-place', 'PL'],
  ['abstract', 'AB'],
  ['language', 'LA'],
  ['edition', 'EN'],
]
const READ_TAGS = new Set(
  'TI BTI CTI JT FAU AU CN FED ED DP DEP PG IS ISBN MH OT GN LID AID SO PT'
    .split(' ')
    .concat(NBIB_TEXT.flatMap(([, ...tags]) => tags)),
)

function typeOf(values: TaggedValues): CslType {
  if (values.has('BTI')) return values.has('TI') ? 'chapter' : 'book'
  const types = allOf(values, 'PT').flatMap((name) => readType('nbib', name) ?? [])
  // Most papers also have the type 'Journal Article', which is less specific.
  return types.find((type) => type !== 'article-journal') ?? 'article-journal'
}

const pubmedName = (text: string): CslName | undefined => initialsLast(text) ?? familyFirst(text)

function toReference(values: TaggedValues): Reference {
  const item: Reference = { type: typeOf(values) }
  setText(item, 'title', ...allOf(values, 'TI', 'BTI', 'CTI'))
  setText(item, 'container-title', ...allOf(values, 'JT'), values.has('TI') ? values.get('BTI')?.[0] : undefined)
  if (item.title !== oneLine(values.get('CTI')?.[0] ?? '')) setText(item, 'collection-title', ...allOf(values, 'CTI'))
  for (const [field, ...tags] of NBIB_TEXT) setText(item, field, ...allOf(values, ...tags))
  const [authors, editors] = [values.get('FAU'), values.get('FED')]
  addNames(item, 'author', authors ?? values.get('AU') ?? [], authors ? familyFirst : pubmedName)
  addNames(item, 'author', values.get('CN') ?? [], (name) => ({ literal: oneLine(name) }))
  addNames(item, 'editor', editors ?? values.get('ED') ?? [], editors ? familyFirst : pubmedName)
  setDate(item, 'issued', values.get('DP')?.[0])
  setDate(item, 'issued', values.get('DEP')?.[0])
  setText(item, 'page', allOf(values, 'PG')[0])
  const serial = (tag: string) => allOf(values, tag).map((value) => value.replace(/\s*\(.*$/, ''))
  setText(item, 'ISSN', [...new Set(serial('IS'))].join(', '))
  setText(item, 'ISBN', [...new Set(serial('ISBN'))].join(', '))
  setDoi(item, [
    ...allOf(values, 'LID', 'AID').filter((value) => value.includes('[doi]')),
    ...allOf(values, 'SO').flatMap((value) => /\bdoi:\s*(10\.\S+)/i.exec(value)?.[1] ?? []),
  ])
  addKeywords(item, allOf(values, 'MH', 'OT'))
  addNotes(item, allOf(values, 'GN').map(oneLine))
  for (const [tag, all] of values) if (!READ_TAGS.has(tag)) addCustom(item, tag, all.map(oneLine))
  return item
}
