import type { EditedField } from '#shared/contract/documents.ts'
import { doiKey, doiText } from '#shared/contract/doi.ts'
import {
  type FoundPaper,
  LOOKED_UP_FIELDS,
  type LookedUpField,
  type LookedUpReference,
  type PaperFacts,
} from '#shared/contract/lookup.ts'
import type { CslDate } from '#shared/contract/references.ts'
import { typeLabel } from '#web/lib/reference-types.ts'
import { dateText } from '#web/lib/date-text.ts'
import { publicationDate } from '#web/lib/dates.ts'

/** The fields of a document that the metadata look-up can fill. */
export interface LookedUpFields {
  title: string | null
  authors: string[]
  journal_name: string | null
  publication_date: string | null
  doi_link: string | null
  abstract: string | null
}
type ColumnName = keyof LookedUpFields
type Name = ColumnName | LookedUpField
/** The current values of a document, and the fields of its bibliographic reference. */
export type ComparedValues = LookedUpFields & { reference: LookedUpReference }

const LABELS: Readonly<Record<Name, string>> = {
  title: 'Title',
  authors: 'Authors',
  journal_name: 'Journal',
  publication_date: 'Publication date',
  doi_link: 'DOI',
  abstract: 'Abstract',
  type: 'Type',
  volume: 'Volume',
  issue: 'Issue',
  page: 'Pages',
  'container-title-short': 'Short form of the journal',
  publisher: 'Publisher',
  'publisher-place': 'Place',
  'event-title': 'Event',
  ISSN: 'ISSN',
  ISBN: 'ISBN',
  PMID: 'PMID',
}
const NAMES = Object.keys(LABELS) as Name[]
const isInReference = (name: Name): name is LookedUpField => (LOOKED_UP_FIELDS as readonly string[]).includes(name)

/** Returns the labels of the fields that have a value in a reference from the look-up. */
export const labelsOf = (reference: LookedUpReference): string[] => [
  ...(reference.issued ? [LABELS.publication_date] : []),
  ...LOOKED_UP_FIELDS.filter((name) => name in reference).map((name) => LABELS[name]),
]

/** A date without a day, such as a year, is a `CslDate`. */
type Fact = string | string[] | CslDate | null

/** A field with its current value and the values that the services returned. Equal values of two services are one option. */
export interface ComparedField {
  name: Name
  label: string
  /** True if a person edited the current value. */
  edited: boolean
  options: { value: string; head: string; text: string; fact: Fact }[]
}

/** Label and value of the option that leaves the current value of a field unchanged. */
export const NOW = 'Now'

/** Returns the fields in which a found paper differs from the current values. Omits fields without a value from a service. */
export function compareFields(
  now: ComparedValues,
  { said }: FoundPaper,
  edited: readonly EditedField[],
): ComparedField[] {
  return NAMES.flatMap((name) => {
    const options = [{ value: NOW, head: NOW, text: textOf(name, factOf(name, now)), fact: factOf(name, now) }]
    for (const { source, facts } of said) {
      const fact = factOf(name, facts)
      if (textOf(name, fact) === '') continue
      const same = options.find((one) => keyOf(name, one.fact) === keyOf(name, fact))
      if (!same) options.push({ value: source, head: source, text: textOf(name, fact), fact })
      else if (same.value !== NOW) same.head = `${same.head} and ${source}`
    }
    return options.length > 1 ? [{ name, label: LABELS[name], edited: edited.includes(name), options }] : []
  })
}

/**
 * Returns the value of the option that is preselected for a field of the look-up dialog. It is the current value (`NOW`) or, if
 * the field is empty and no user emptied it, the first value of a service. The type 'article in a journal' counts as empty,
 * because every new paper has it.
 */
export function firstChoice({ name, options, edited }: ComparedField): string {
  const [now, other] = options
  const isEmpty = now!.text === '' || (name === 'type' && now!.fact === 'article-journal')
  return isEmpty && !edited ? other!.value : now!.value
}

/**
 * Returns the new values of the fields for which the user chose the value of a service. `choices` contains the chosen option by
 * field name; a field without a choice has its preselected option. In the result, `reference` has the values of the
 * bibliographic reference of the paper, and `fields` the values of its other fields.
 */
export function chosenFields(fields: readonly ComparedField[], choices: ReadonlyMap<string, string>) {
  const chosen: { fields: Partial<LookedUpFields>; reference: LookedUpReference } = { fields: {}, reference: {} }
  for (const field of fields) {
    const value = choices.get(field.name) ?? firstChoice(field)
    const fact = field.options.find((one) => one.value === value)?.fact
    if (value === NOW || fact === undefined) continue
    if (isPartialDate(fact)) chosen.reference.issued = fact
    else Object.assign(isInReference(field.name) ? chosen.reference : chosen.fields, { [field.name]: fact })
  }
  return chosen
}

/**
 * Returns the OpenAlex id to store, and whether to mark the document as retracted. `count` is the number of fields that the
 * user takes from the found paper. `isMarked`: the document is marked as retracted. If the user takes no field and keeps
 * another title or DOI, the found paper can be another paper: the id is then null and the mark does not change. The mark is
 * removed only if the user takes a field and OpenAlex, which knows retractions, reports no retraction.
 */
export function factsToStore(
  { semantic_paperid, retracted, said }: FoundPaper,
  fields: readonly ComparedField[],
  { count, isMarked }: { count: number; isMarked: boolean },
): { semantic_paperid: string | null; retracted: boolean } {
  const isOther = count === 0 && fields.some(({ name }) => name === 'title' || name === 'doi_link')
  if (isOther) return { semantic_paperid: null, retracted: isMarked }
  const keepsMark = count === 0 || !said.some(({ source }) => source === 'OpenAlex')
  return { semantic_paperid, retracted: retracted || (keepsMark && isMarked) }
}

function factOf(name: Name, facts: PaperFacts | ComparedValues): Fact {
  if (isInReference(name)) return facts.reference[name] ?? null
  return name === 'publication_date' ? (facts.publication_date ?? facts.reference.issued ?? null) : facts[name]
}

const isPartialDate = (fact: Fact): fact is CslDate => fact !== null && typeof fact === 'object' && !Array.isArray(fact)

function textOf(name: Name, fact: Fact): string {
  if (fact === null) return ''
  if (Array.isArray(fact)) return fact.join(', ')
  if (isPartialDate(fact)) return dateText(fact) ?? ''
  if (name === 'publication_date') return publicationDate(fact)
  if (name === 'type') return typeLabel(fact)
  return name === 'doi_link' ? doiText(fact) : fact.trim()
}

/** Returns the comparison key of a value. Ignores differences in white space, and the case of DOIs and journal names. */
function keyOf(name: Name, fact: Fact): string {
  const text = textOf(name, fact).replace(/\s+/g, ' ')
  if (name === 'doi_link') return doiKey(text)
  return name === 'journal_name' ? text.toLowerCase() : text
}
