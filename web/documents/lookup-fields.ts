import type { EditableField } from '#shared/documents.ts'
import { doiKey, doiText } from '#shared/doi.ts'
import type { FoundPaper, PaperFacts } from '#shared/papers.ts'
import { publicationDate } from '#web/lib/dates.ts'

/** The fields of a document that a service can fill. */
export interface LookedUpFields {
  title: string | null
  authors: string[]
  journal_name: string | null
  publication_date: string | null
  doi_link: string | null
  abstract: string | null
}
type Name = keyof LookedUpFields

const LABELS: Readonly<Record<Name, string>> = {
  title: 'Title',
  authors: 'Authors',
  journal_name: 'Journal',
  publication_date: 'Publication date',
  doi_link: 'DOI',
  abstract: 'Abstract',
}
const NAMES = Object.keys(LABELS) as Name[]

/** One field as it is now and as the services have it; what two of them say alike stands once. */
export interface ComparedField {
  name: Name
  label: string
  /** A person edited what is there. */
  edited: boolean
  options: { value: string; head: string; text: string; fact: LookedUpFields[Name] }[]
}

/** What is there now. */
export const NOW = 'Now'

/** The fields in which a found paper differs from what is there; what it says nothing of, or the same, is left out. */
export function compareFields(
  now: LookedUpFields,
  { said }: FoundPaper,
  edited: readonly EditableField[],
): ComparedField[] {
  return NAMES.flatMap((name) => {
    const options = [{ value: NOW, head: NOW, text: textOf(name, now[name]), fact: now[name] }]
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
 * The choice before anybody chooses: the value that is there. An empty field gets the first value that a service gives,
 * except where a person emptied it.
 */
export const firstChoice = ({ options, edited }: ComparedField): string =>
  options[0]!.text === '' && !edited ? options[1]!.value : options[0]!.value

/** The fields that change by these choices. */
export function chosenFields(fields: readonly ComparedField[], choices: ReadonlyMap<string, string>) {
  const chosen: Partial<LookedUpFields> = {}
  for (const field of fields) {
    const value = choices.get(field.name) ?? firstChoice(field)
    const option = field.options.find((one) => one.value === value)
    if (value !== NOW && option) Object.assign(chosen, { [field.name]: option.fact })
  }
  return chosen
}

const factOf = (name: Name, facts: PaperFacts): LookedUpFields[Name] => facts[name]

function textOf(name: Name, fact: LookedUpFields[Name]): string {
  if (fact === null) return ''
  if (Array.isArray(fact)) return fact.join(', ')
  if (name === 'publication_date') return publicationDate(fact)
  return name === 'doi_link' ? doiText(fact) : fact.trim()
}

/** Two facts are the same when nobody would see a difference: case of a DOI or a journal, space between words. */
function keyOf(name: Name, fact: LookedUpFields[Name]): string {
  const text = textOf(name, fact).replace(/\s+/g, ' ')
  if (name === 'doi_link') return doiKey(text)
  return name === 'journal_name' ? text.toLowerCase() : text
}
