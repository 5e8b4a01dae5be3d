import type { Reference } from '#shared/contract/references.ts'
import { familyFirst } from '#shared/references/names.ts'
import {
  addCustom,
  addKeywords,
  addNames,
  addNotes,
  setDate,
  setDoi,
  setPagesOrCount,
  setSerialNumbers,
  setText,
  setVersion,
  splitDois,
} from './draft.ts'
import { decisionInNotes } from './earlier-decisions.ts'
import { readRecord, type ReadRecord } from './read-record.ts'
import { readType, type CslType } from './reference-types.ts'
import { RIS_NAMES, RIS_TEXT, isPubMed, setArchive } from './ris-fields.ts'
import {
  allOf,
  firstOf,
  linesIn,
  taggedRecords,
  valuesOf,
  type TaggedDialect,
  type TaggedValues,
} from './tagged-lines.ts'

const LINE = /^[ \t]*([A-Z][A-Z0-9])[ \t]{1,3}-(?: (.*)|(\S.*)?)$/s

const RIS: TaggedDialect = {
  split: (line) => {
    const found = LINE.exec(line)
    return found && [found[1]!, found[2] ?? found[3] ?? '']
  },
  starts: (tag) => tag === 'TY',
  end: 'ER',
}

/** Reads RIS files of all databases. Unknown tags are in `custom`. */
export function* readRis(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of taggedRecords(text, RIS))
    yield readRecord(record, ++position, () => {
      const values = valuesOf(record)
      return { reference: toReference(values), decision: decisionInNotes(allOf(values, 'N1')) }
    })
}

function typeOf(values: TaggedValues): CslType {
  const name = values.get('TY')?.[0]?.split('\n')[0] ?? ''
  // A conference with editors and without pages is the volume, not a paper.
  if (name.trim().toUpperCase() === 'CONF' && firstOf(values, 'A2', 'ED').length > 0 && !values.has('SP')) return 'book'
  return readType('ris', name) ?? 'document'
}

const READ_TAGS = new Set(
  [
    'TY',
    'ER',
    'TI',
    'T1',
    'CT',
    'BT',
    'T2',
    'JF',
    'JO',
    'PY',
    'Y1',
    'DA',
    'Y2',
    'SP',
    'EP',
    'C7',
    'SN',
    'UR',
    'L2',
    'KW',
    'N1',
    'DO',
  ]
    .concat(RIS_TEXT.flatMap(([, ...tags]) => tags))
    .concat(RIS_NAMES.flatMap(([, ...tags]) => tags)),
)

function toReference(values: TaggedValues): Reference {
  const item: Reference = { type: typeOf(values) }
  setText(item, 'title', ...allOf(values, 'TI', 'T1', 'CT'))
  if (!item.title) setText(item, 'title', ...allOf(values, 'BT'))
  else setText(item, 'container-title', ...allOf(values, 'T2', 'JF', 'JO', 'BT'))
  setText(item, 'container-title', ...allOf(values, 'T2', 'JF', 'JO'))
  for (const [field, ...tags] of RIS_TEXT) setText(item, field, ...allOf(values, ...tags))
  setVersion(item)
  setArchive(item, allOf(values, 'DB'))
  for (const [field, ...tags] of RIS_NAMES)
    for (const tag of tags) addNames(item, field, linesIn(allOf(values, tag)), familyFirst)
  setDate(item, 'issued', ...allOf(values, 'PY', 'Y1', 'DA'))
  setDate(item, 'accessed', ...allOf(values, 'Y2'))
  setPagesOrCount(item, values.get('SP')?.[0] ?? values.get('C7')?.[0], values.get('EP')?.[0])
  setSerialNumbers(item, allOf(values, 'SN'))
  addKeywords(item, allOf(values, 'KW'))
  addNotes(
    item,
    allOf(values, 'N1').map((note) => note.replaceAll('\n', ' ')),
  )
  setIdentifiers(item, values)
  for (const [tag, all] of values) if (!READ_TAGS.has(tag)) addCustom(item, tag, all)
  return item
}

function setIdentifiers(item: Reference, values: TaggedValues): void {
  const [, addresses] = splitDois(allOf(values, 'UR', 'L2'))
  const elsewhere = allOf(values, 'M3', 'N1', 'L3', 'UR')
  if (!setDoi(item, allOf(values, 'DO'))) setDoi(item, splitDois(elsewhere)[0])
  setText(
    item,
    'URL',
    addresses.find((one) => /^https?:/i.test(one)),
    addresses[0],
    values.get('UR')?.[0],
  )
  addCustom(
    item,
    'UR',
    allOf(values, 'UR').filter((one) => one !== item.URL),
  )
  const number = values.get('AN')?.[0]
  if (number && /^\d{1,8}$/.test(number) && allOf(values, 'DB', 'DP').some(isPubMed)) item.PMID = number
  setText(
    item,
    'PMCID',
    allOf(values, 'C2').find((one) => /^PMC\d+$/i.test(one)),
  )
  const kind = splitDois(allOf(values, 'M3'))[1][0]
  if (kind && ['thesis', 'report', 'patent', 'speech', 'manuscript'].includes(item.type)) setText(item, 'genre', kind)
}
