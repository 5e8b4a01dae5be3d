import type { CslName, Reference } from '#shared/contract/references.ts'
import { yearAndMonth } from '#shared/references/dates.ts'
import { familyFirst, initialsLast } from '#shared/references/names.ts'
import { addCustom, addKeywords, addNames, oneLine, setDoi, setPages, setText, type TextField } from './draft.ts'
import { readRecord, type ReadRecord } from './read-record.ts'
import type { CslType } from './reference-types.ts'
import {
  allOf,
  firstOf,
  linesIn,
  taggedRecords,
  valuesOf,
  type TaggedDialect,
  type TaggedValues,
} from './tagged-lines.ts'

const LINE = /^([A-Z][A-Z0-9])(?: (.*))?$/s

const WEB_OF_SCIENCE: TaggedDialect = {
  split: (line) => {
    const found = LINE.exec(line.trimEnd())
    return found && [found[1]!, found[2] ?? '']
  },
  // FN and VR are the head of the file, EF its end.
  starts: (tag, _afterBlank, record) => tag === 'PT' || (record === null && !/^(?:FN|VR|EF|ER)$/.test(tag)),
  end: 'ER',
}

/** Reads the tagged format of Web of Science (plain text, .ciw, .isi). Unknown tags are in `custom`. */
export function* readWebOfScience(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of taggedRecords(text, WEB_OF_SCIENCE))
    yield readRecord(record, ++position, () => ({ reference: toReference(valuesOf(record)) }))
}

const TYPES: Record<string, CslType> = {
  J: 'article-journal',
  B: 'book',
  S: 'chapter',
  C: 'paper-conference',
  P: 'patent',
}
const TEXT: [TextField, ...tags: string[]][] = [
  ['title', 'TI'],
  ['container-title', 'SO', 'JI'],
  ['container-title-short', 'JI', 'J9'],
  ['collection-title', 'SE'],
  ['volume', 'VL'],
  ['issue', 'IS'],
  ['number', 'PN'],
  ['publisher', 'PU'],
  ['publisher-place', 'PI', 'PV'],
  ['abstract', 'AB'],
  ['language', 'LA'],
  ['ISSN', 'SN'],
  ['ISBN', 'BN'],
  ['PMID', 'PM'],
  ['event-title', 'CT'],
  ['event-place', 'CL'],
]
const READ_TAGS = new Set(
  'PT AF AU BF BA BE ED PY PD BP EP AR PS DI DE ID'.split(' ').concat(TEXT.flatMap(([, ...tags]) => tags)),
)

const name = (text: string): CslName | undefined =>
  text.includes(',') ? familyFirst(text) : (initialsLast(text) ?? familyFirst(text))

function toReference(values: TaggedValues): Reference {
  const item: Reference = { type: TYPES[values.get('PT')?.[0]?.[0] ?? ''] ?? 'article-journal' }
  for (const [field, ...tags] of TEXT) setText(item, field, ...allOf(values, ...tags))
  addNames(item, 'author', linesIn(firstOf(values, 'AF', 'AU', 'BF', 'BA')), name)
  addNames(item, 'editor', linesIn(firstOf(values, 'BE', 'ED')), name)
  const [year = '', published = ''] = [values.get('PY')?.[0], values.get('PD')?.[0]]
  const issued = yearAndMonth(year || published, published.replace(year, '').trim())
  if (issued) item.issued = issued
  setPages(item, values.get('BP')?.[0], values.get('EP')?.[0])
  setText(item, 'page', ...allOf(values, 'AR', 'PS'))
  setDoi(item, allOf(values, 'DI'))
  addKeywords(item, allOf(values, 'DE', 'ID').map(oneLine))
  for (const [tag, all] of values) if (!READ_TAGS.has(tag)) addCustom(item, tag, all.map(oneLine))
  return item
}
