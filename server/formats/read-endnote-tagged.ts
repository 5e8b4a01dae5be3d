import type { Reference } from '#shared/contract/references.ts'
import { anyOrder } from '#shared/references/names.ts'
import {
  addCustom,
  addKeywords,
  addNames,
  addNotes,
  setDate,
  setDoi,
  setPages,
  setSerialNumbers,
  setText,
  type TextField,
} from './draft.ts'
import { readRecord, type ReadRecord } from './read-record.ts'
import { readType } from './reference-types.ts'
import { allOf, linesIn, taggedRecords, valuesOf, type TaggedDialect, type TaggedValues } from './tagged-lines.ts'

const LINE = /^%([0-9A-Z!@#$^&*()[\]{}~+=<>?:;"'.,-])(?: (.*))?$/s

function dialect(hasTypes: boolean): TaggedDialect {
  return {
    split: (line) => {
      const found = LINE.exec(line)
      return found && [found[1]!, found[2] ?? '']
    },
    // Files of the program `refer` have no types; blank lines separate their records.
    starts: (tag, afterBlank, record) => tag === '0' || record === null || (!hasTypes && afterBlank),
  }
}

/**
 * Reads the tagged format of EndNote and refer (.enw). Unknown tags are in `custom`. A record that has only a type is skipped.
 */
export function* readEndnoteTagged(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of taggedRecords(text, dialect(/^%0/m.test(text))))
    if (record.fields.some(([tag, value]) => tag !== '0' && value.trim()))
      yield readRecord(record, ++position, () => ({ reference: toReference(valuesOf(record)) }))
}

const TEXT: [TextField, ...tags: string[]][] = [
  ['title', 'T'],
  ['title-short', '!'],
  ['container-title', 'J', 'B'],
  ['collection-title', 'S'],
  ['volume', 'V'],
  ['issue', 'N'],
  ['publisher', 'I'],
  ['publisher-place', 'C'],
  ['abstract', 'X'],
  ['language', 'G'],
  ['edition', '7'],
  ['URL', 'U'],
  ['number-of-volumes', '6'],
  ['genre', '9'],
  ['call-number', 'L'],
  ['citation-key', 'F'],
]
const READ_TAGS = new Set(
  '0AEYDPR@KZ'.split('').concat(
    '8',
    '?',
    '=',
    '[',
    TEXT.flatMap(([, ...tags]) => tags),
  ),
)

function toReference(values: TaggedValues): Reference {
  const name = values.get('0')?.[0]
  // A record of `refer` has no type: %J is a journal, %B a book that contains the work.
  const untyped = values.has('J')
    ? 'article-journal'
    : values.has('B')
      ? 'chapter'
      : values.has('I')
        ? 'book'
        : 'document'
  const item: Reference = { type: name === undefined ? untyped : (readType('endnote', name) ?? 'document') }
  for (const [field, ...tags] of TEXT) setText(item, field, ...allOf(values, ...tags))
  addNames(item, 'author', linesIn(allOf(values, 'A')), anyOrder)
  addNames(item, 'editor', linesIn(allOf(values, 'E')), anyOrder)
  addNames(item, 'collection-editor', linesIn(allOf(values, 'Y')), anyOrder)
  addNames(item, 'translator', linesIn(allOf(values, '?')), anyOrder)
  setDate(item, 'issued', ...allOf(values, 'D', '8'))
  setDate(item, 'accessed', ...allOf(values, '[', '='))
  setPages(item, values.get('P')?.[0], undefined)
  setDoi(item, allOf(values, 'R'))
  if (!item.DOI) addCustom(item, 'R', allOf(values, 'R'))
  setSerialNumbers(item, allOf(values, '@'))
  addKeywords(item, allOf(values, 'K'))
  addNotes(item, allOf(values, 'Z'))
  for (const [tag, all] of values) if (!READ_TAGS.has(tag)) addCustom(item, `%${tag}`, all)
  return item
}
