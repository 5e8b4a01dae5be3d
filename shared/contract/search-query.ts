/** The prefixes that are followed by text, as in `title:sleep`. The prefix `year:` is separate, because numbers follow it. */
const FIELDS = ['title', 'author', 'tag', 'journal'] as const
type SearchField = (typeof FIELDS)[number]

/** A condition of a search: a word or phrase of the passage, or a field of its paper. A null year is an open end of a range. */
export type SearchCondition =
  | { kind: 'word' | 'phrase' | SearchField; text: string }
  | { kind: 'year'; from: number | null; to: number | null }

/** A parsed search for passages of papers (LIB-04). */
export interface SearchQuery {
  /** The words and phrases to look for, as one text. It ranks the passages. */
  text: string
  /**
   * Groups of alternatives: at least one condition of each group must match. A group of words only is omitted, because a word
   * is not required; it only ranks the passages (see `text`).
   */
  required: SearchCondition[][]
  /** Conditions that a passage must not match. */
  excluded: SearchCondition[]
}

/** Matches one part of a search: an optional `-`, an optional prefix, and a text in quotation marks or up to the next space. */
const PART = /(-?)(?:(title|author|tag|journal|year):)?(?:"([^"]*)"|(\S+))/giu
const YEARS = /^(\d{1,4})?(\.\.|[-–])?(\d{1,4})?$/
/** Maximum number of parts of a search; later parts are ignored. */
const MOST_PARTS = 50

/**
 * Parses a search: words, "exact phrases", -excluded, OR, title:, author:, year:2015..2020, tag: and journal:. An unknown
 * prefix, a year that is no number, a quotation mark without its pair and a minus before a number are plain text.
 */
export function parseSearch(search: string): SearchQuery {
  const texts: string[] = []
  const groups: SearchCondition[][] = []
  const excluded: SearchCondition[] = []
  let joins = false
  for (const part of [...search.replace(/[“”„]/g, '"').matchAll(PART)].slice(0, MOST_PARTS)) {
    if (part[0] === 'OR') {
      joins = groups.length > 0
      continue
    }
    const found = conditionOf(part)
    if (!found) continue
    // In 'stored at -20 °C', the minus is a part of the number. '-5-HT' excludes a name.
    const isExcluded = part[1] !== '' && !/^-\p{N}(?!\S*-\p{L})/u.test(part[0])
    if (isExcluded) excluded.push(found)
    else {
      if (joins) groups.at(-1)!.push(found)
      else groups.push([found])
      if (found.kind === 'word' || found.kind === 'phrase') texts.push(found.text)
    }
    joins = false
  }
  return {
    text: texts.join(' '),
    required: groups.filter((group) => group.some(({ kind }) => kind !== 'word')),
    excluded,
  }
}

/** Returns whether a condition is about the paper, and not about the text of a passage. */
export const isField = ({ kind }: SearchCondition): boolean => kind !== 'word' && kind !== 'phrase'

function conditionOf([whole, minus, prefix, quoted, bare]: RegExpExecArray): SearchCondition | null {
  const plain = (text: string): SearchCondition | null => (/[\p{L}\p{N}]/u.test(text) ? { kind: 'word', text } : null)
  const text = (quoted ?? bare ?? '').trim()
  if (!prefix) return quoted !== undefined && /[\p{L}\p{N}]/u.test(text) ? { kind: 'phrase', text } : plain(text)
  const field = prefix.toLowerCase()
  if (field === 'year') return yearsOf(text) ?? plain(whole.slice(minus!.length))
  return /[\p{L}\p{N}]/u.test(text) ? { kind: FIELDS.find((one) => one === field)!, text } : null
}

function yearsOf(text: string): SearchCondition | null {
  const [, first, dots, last] = YEARS.exec(text) ?? []
  if (first === undefined && last === undefined) return null
  // '2015' is one year: the expression reads it as the first number.
  if (dots === undefined) return last === undefined ? { kind: 'year', from: Number(first), to: Number(first) } : null
  // '2020..2015' is the range from 2015 to 2020.
  if (first && last) return { kind: 'year', from: Math.min(+first, +last), to: Math.max(+first, +last) }
  return { kind: 'year', from: first ? Number(first) : null, to: last ? Number(last) : null }
}

/** Maximum number of parts with a prefix, such as title:sleep. The database compares each of them with every paper. */
const MOST_FIELDS = 10

/** Returns the reason why a search is refused; null if it is valid. */
export function refuseSearch({ text, required, excluded }: SearchQuery): string | null {
  const fields = [...required.flat(), ...excluded].filter(({ kind }) => kind !== 'word' && kind !== 'phrase')
  if (fields.length > MOST_FIELDS) return `Use at most ${MOST_FIELDS} words with a prefix such as title: or tag:.`
  if (text !== '' || required.length > 0) return null
  return excluded.length > 0 ? 'Add at least one word to look for.' : 'Query cannot be empty'
}
