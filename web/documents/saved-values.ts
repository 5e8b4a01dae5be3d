import type { DocumentPatch } from '#shared/contract/document-edits.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { LOOKED_UP_FIELDS, type LookedUpField } from '#shared/contract/lookup.ts'
import type { CslDate, Reference } from '#shared/contract/references.ts'
import { dateText } from '#web/lib/date-text.ts'
import { typeLabel } from '#web/lib/reference-types.ts'
import { textOf } from '#web/lib/save-together.tsx'
import type { Chosen } from '#web/lookup/index.ts'
import { changedNames, EDIT_LABELS, type EditValues, lookedUpNames, patchOf, valuesOf } from './edit-values.ts'
import { fieldLabel } from './reference-fields.ts'

/**
 * The values that the edit form saves: those of its fields, and those that only the metadata look-up changes. Fields of the
 * bibliographic reference have the prefix `reference.`, as in the field errors of the API.
 */
export type SavedValues = EditValues &
  Record<`reference.${LookedUpField}`, string> & {
    'reference.issued': CslDate | null
    semantic_paperid: string
    retracted: boolean
  }

const referenceTexts = (text: (name: LookedUpField) => string) =>
  Object.fromEntries(LOOKED_UP_FIELDS.map((name) => [`reference.${name}`, text(name)])) as Record<
    `reference.${LookedUpField}`,
    string
  >

/** The labels of the values that the edit form of a document saves. */
export const SAVED_LABELS: Readonly<Record<keyof SavedValues, string>> = {
  ...EDIT_LABELS,
  ...referenceTexts((name) => fieldLabel(name)),
  'reference.issued': 'Publication date',
  semantic_paperid: 'Semantic ID',
  retracted: 'Retracted',
}

/** Converts a value of the edit form to text for the user. `name` is the name of its field. */
export function savedText(value: SavedValues[keyof SavedValues], name: keyof SavedValues): string {
  if (name === 'reference.issued') return dateText((value as CslDate | null) ?? undefined) ?? ''
  return name === 'reference.type' ? typeLabel(value as Reference['type']) : textOf(value)
}

/** Returns the current values of a document, in the form in which the edit form saves and compares them. */
export const savedValuesOf = (document: Omit<DocumentDetail, 'extracted_text'>): SavedValues => ({
  ...valuesOf(document),
  ...referenceTexts((name) => document.reference[name] ?? ''),
  'reference.issued': document.reference.issued ?? null,
  semantic_paperid: document.semantic_paperid ?? '',
  retracted: document.retracted,
})

/**
 * Returns the values to save: those of `before`, replaced by the values `typed` in the form and by the values that the user
 * chose in the metadata look-up.
 */
export const withChosen = (before: SavedValues, typed: EditValues, chosen: Chosen | null): SavedValues => ({
  ...before,
  ...typed,
  ...(chosen && {
    ...referenceTexts((name) => chosen.reference[name] ?? before[`reference.${name}`]),
    'reference.issued': chosen.reference.issued ?? before['reference.issued'],
    semantic_paperid: chosen.semantic_paperid ?? before.semantic_paperid,
    retracted: chosen.retracted,
  }),
})

/**
 * Returns the patch to save. It contains the data from the metadata look-up, and the fields of `now` that differ from `before`.
 * Other fields are omitted, so that the patch does not overwrite changes by another tab or an analysis. `now` contains the
 * decisions of the user about fields that another member also changed: a value of the look-up is omitted if `now` has another
 * value.
 */
export function changeOf(before: SavedValues, now: SavedValues, chosen: Chosen | null): DocumentPatch {
  const changed: readonly string[] = changedNames(before, now)
  const fields: DocumentPatch = Object.fromEntries(
    Object.entries(patchOf(now)).filter(([name]) => changed.includes(name)),
  )
  if (!chosen) return fields
  const { issued, ...texts } = chosen.reference
  const lookedUp = lookedUpNames(now, chosen)
  // The year or month of the look-up replaces the day, unless the user chose the date of another member.
  const isPartialDate = issued !== undefined && lookedUp.includes('publication_date')
  if (isPartialDate) delete fields.publication_date
  const isStored = isPartialDate && JSON.stringify(now['reference.issued']) === JSON.stringify(issued)
  const others = Object.fromEntries(
    Object.entries(texts).filter(([name, value]) => now[`reference.${name as LookedUpField}`] === value),
  )
  const reference = { ...others, ...(isStored && { issued }) }
  return {
    ...fields,
    retracted: now.retracted,
    ...(chosen.semantic_paperid ? { semantic_paperid: now.semantic_paperid } : {}),
    ...(Object.keys(reference).length > 0 ? { reference } : {}),
    looked_up: [
      ...lookedUp.filter((name) => name !== 'publication_date' || !isPartialDate || isStored),
      ...(Object.keys(others) as LookedUpField[]),
    ],
  }
}
