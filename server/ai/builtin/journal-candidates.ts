import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { readHeading } from '#server/language/section-headings.ts'
import { readNames } from './author-names.ts'
import type { FrontMatter } from './first-page.ts'

/** A text that can be the name of a journal or series; a higher score is more likely. */
export interface JournalCandidate {
  name: string
  score: number
}

/** Matches the text after a journal's name: a volume, a year, a date or an address. */
const END =
  /\s*[,.:;|·•—–([/-]*\s*(?:\d{1,3}\.\s?(?:jg|jahrgang|band)\b|\b(?:open access|research article|original article)\b|\b(?:vol(?:ume)?|no|nr|n[o°º]|núm|issue|article|band|heft|tome|págs?|pp?)(?!\p{L})\.?\s*\d|[(’'[]*\d(?!\d*(?:st|nd|rd|th)\b)|www\.|https?:|doi\b).*$/iu
/** Matches a volume with pages or an article number, an ISSN, or the address of a journal. */
const VOLUME =
  /\b(?:vol(?:ume)?|band|tome|issue|issn|jg)\b\.?\s*(?:\d|[IVXLC]+\b)|\bn(?:o|r|°|º|úm)\.?\s*\d|\d{1,4}\s?[:(]\s?e?\d|;\s?\d{1,4}[:(]|journal homepage/iu
const NOT_JOURNAL =
  /\b(?:volume|universit\p{L}*|departe?ment\p{L}*|institut\p{L}*|facult\p{L}*|hospital|school|college|preprint|manuscript|draft|version|copyright|licen[sc]e\p{L}*|rights|reserved|permission|doi|issn|received|accepted|published|submitted|revised|available|correspond\p{L}*|supplement\p{L}*|downloaded|page|contents|homepage|repository|archive|eprints?|press|publish(?:er|ing)|abstract|keywords|open access|peer review\p{L}*|et al)\b|[@©]|https?:|www\./iu
const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december)(?:[/–-]\p{L}+)?$/iu
/**
 * Matches 'published in' and the name of the journal after it. Does not match a name before a citation, which is the journal of
 * another paper: 'was published in Tea News (Bee, 2008)'.
 */
const PUBLISHED_IN =
  /\b(?:published|appear(?:s|ed)|printed)\b[^.:]{0,40}?\bin\s+(?:its final form in\s+|the journal\s+)?(?<name>\p{Lu}[^.;:()\d]{2,90}?)(?!\s*\(\p{Lu}[^)]{2,80}\b(?:19|20)\d\d)(?=[.;:()]|,\s(?!\p{Lu})|,?\s+(?:on|in|[Vv]ol)\b|\s+\d|$)/gu
const COPYRIGHT = /©[^.]{0,60}\.\s+(?<name>\p{Lu}[^.,;:()\d]{2,80}?)\s+(?:is\s+)?published by\b/gu

/** Added to the score of a name before a volume or a year, which is very probably the name of the journal. */
const FOLLOWED = 2

const letters = (text: string) => normalizeWithMap(text).text

/**
 * Returns the texts that can be the name of the journal, the most likely first. Searches running heads, rows above the title,
 * the text after the title in a citation, and the text after 'published in'. Excludes the title, names of persons and
 * addresses. The score of a text is a sum of points: 1 for each running head and each row above the title with the text, 3 for
 * each citation and each 'published in', FOLLOWED for a volume or year after the text, and points for other signs.
 */
export function journalCandidates(
  front: FrontMatter,
  { title, authors }: { title: string | null; authors: readonly string[] },
): JournalCandidate[] {
  const wanted = letters(title ?? '')
  const isPaper = (name: string) =>
    isTitleOrAuthors(name, { title, authors }) ||
    (authors.length === 0 && readNames(name, front.isCommonWord).share >= 0.5)
  const found = new Map<string, JournalCandidate>()
  const add = (text: string, score: number) => {
    const name = text
      .replace(/\s+/g, ' ')
      .replace(/[\s.,:;|·•—–-]+$/u, '')
      .trim()
    // An acronym such as 'CST ’14' names an event. It counts only beside a row with a volume (score 2), as 'MATERIA' does.
    if (!isName(name, wanted) || isPaper(name) || (score !== 2 && /^\p{Lu}{2,9}$/u.test(name))) return
    const known = found.get(letters(name)) ?? { name, score: 0 }
    // Prefers a form with lower-case letters: a name in capitals is only a style of the page.
    if (/\p{Ll}/u.test(name)) known.name = name
    found.set(letters(name), { ...known, score: known.score + score })
  }
  const above = rowsAbove(front, wanted)
  const heads = front.runningLines.filter((line) => !above.includes(line))
  for (const rows of [heads, above]) {
    const beside = rows.some((row) => VOLUME.test(row)) ? 1 : 0
    for (const row of new Set(rows)) {
      for (const part of withoutAuthors(row, authors)
        .replace(/^(?:\d{1,5}\s+|vol\.? \d+, no\.? \d+, )/i, '')
        .split(/\s[|·•—]\s|\t/u)) {
        const name = part.replace(END, '')
        const isFollowed = name.length < part.trim().length || part.length < row.length
        add(name, 1 + (isFollowed ? FOLLOWED : 0) + beside)
      }
    }
  }
  // Most running heads contain only title, authors and journal: a single candidate in them is probably the journal.
  const inHeads = [...found.values()].filter(({ name }) => heads.some((row) => row.includes(name)))
  if (inHeads.length === 1 && inHeads[0]!.name.includes(' ')) add(inHeads[0]!.name, 1)
  for (const text of front.around.slice(0, 200)) {
    for (const pattern of [PUBLISHED_IN, COPYRIGHT])
      for (const { groups } of text.slice(0, 2000).matchAll(pattern)) add(groups!['name']!, 3)
    add(afterTitle(text, title), 3)
  }
  // If the page has a short and a long form of the same name, the long form gets the score of both.
  for (const one of found.values()) {
    const long = [...found.values()].find(({ name }) => isShortFor(one.name, name))
    if (long) Object.assign(long, { score: long.score + one.score + 1 })
  }
  return [...found.values()].toSorted((a, b) => b.score - a.score)
}

/**
 * Returns whether a text is part of the title, or consists of words of the authors' names and the title, as running heads do.
 */
export function isTitleOrAuthors(
  text: string,
  { title, authors }: { title: string | null; authors: readonly string[] },
): boolean {
  if (letters(title ?? '').includes(letters(text)) || isShortTitle(text, title ?? '')) return true
  const wordsOf = (row: string) => row.toLowerCase().split(/[^\p{L}\p{M}’']+/u)
  const ofAuthors = new Set(authors.flatMap(wordsOf))
  const ofPaper = new Set([
    ...wordsOf(title ?? ''),
    'and',
    'et',
    'al',
    'und',
    'y',
    'e',
    'by',
    'in',
    'the',
    'others',
    'prof',
    'dipl',
    'ing',
  ])
  const words = wordsOf(text).filter(Boolean)
  // Every word must be known, because a journal's name can contain a family name: 'Field Notes'.
  return (
    words.some((word) => ofAuthors.has(word)) &&
    words.every((word) => word.length < 3 || ofAuthors.has(word) || ofPaper.has(word))
  )
}

/** Returns whether a text has three words or more, all of them in the title in the same order. */
function isShortTitle(text: string, title: string): boolean {
  const words = (row: string) => row.toLowerCase().match(/[\p{L}\p{M}’']+/gu) ?? []
  const wanted = words(text)
  let at = 0
  for (const word of words(title)) if (word === wanted[at]) at++
  return wanted.length > 2 && at === wanted.length
}

/**
 * Removes the names of the authors from the start of a row: 'Bee and Dee Warm Drinks (2020) 4:1' -> 'Warm Drinks (2020) 4:1'.
 */
export function withoutAuthors(row: string, authors: readonly string[]): string {
  const [first, second] = authors.map((author) =>
    author
      .split(' ')
      .at(-1)!
      .replace(/[^\p{L}’'-]/gu, ''),
  )
  if (!first) return row
  const people = second ? `${first}\\s+(?:et al\\b|(?:and|&|und|et|y)\\s+(?:\\S+\\s+){0,3}?${second})` : first
  return row.replace(new RegExp(`^.{0,30}?${people}[.,:]*\\s+(?=\\p{L})`, 'u'), '')
}

/**
 * Returns whether a name is an abbreviation of another: each of its words is the beginning of the word at the same place,
 * without words such as 'of'. 'Front. Tea Sci' is short for 'Frontiers in Tea Science'.
 */
export function isShortFor(short: string, long: string): boolean {
  const words = (name: string) => name.toLowerCase().match(/\p{L}+/gu) ?? []
  const significant = words(long).filter(
    (word) => !/^(?:of|and|the|in|for|on|und|für|der|die|de|la|le|des|et|di)$/.test(word),
  )
  const parts = words(short).filter((word) => !/^(?:of|and|the|in|for|on)$/.test(word))
  return (
    short.length < long.length &&
    parts.length > 1 &&
    parts.length === significant.length &&
    parts.every((part, at) => significant[at]!.startsWith(part))
  )
}

/** Returns the paragraphs before the title on page 1. `wanted` are the letters and digits of the title in lower case. */
function rowsAbove(front: FrontMatter, wanted: string): string[] {
  const at = front.paragraphs.findIndex((text) => wanted !== '' && wanted.startsWith(letters(text).slice(0, 200)))
  return front.paragraphs.slice(0, Math.max(0, at)).filter((text) => text.length < 200)
}

/** Returns the text between the title and a volume, year or address in a citation: 'Bee A. On tea. Warm Drinks. 2020;4'. */
function afterTitle(text: string, title: string | null): string {
  const at = title === null ? -1 : text.toLowerCase().indexOf(title.toLowerCase())
  // Only a title with an author or a year before it is part of a citation.
  if (at < 3) return ''
  const after = text.slice(at + title!.length, at + title!.length + 160)
  return (
    /^[.,”"’]+\s+(?:\(?(?:19|20)\d\d\)?[.,:]?\s+)?(?<name>\p{Lu}[^.;:()\d]{2,90}?)\s*(?:[.,;]\s*)?(?:\d|\(|vol|doi|https?:|$)/iu.exec(
      after,
    )?.groups?.name ?? ''
  )
}

function isName(name: string, wanted: string): boolean {
  const plain = letters(name)
  const words = name.split(' ')
  return (
    /^(?:\p{Lu}|(?:npj|e(?=\p{Lu})|m(?=\p{Lu})|i(?=\p{Lu})))[\p{L}\p{M}&’',. :-]+$/u.test(name) &&
    !/(?<!\p{L})(?:was|were|is|are|had|has|have|we|this|these|that|which|given)(?!\p{L})|\s(?:to|of|in|and|for|the|a|with|by|at|on|from)$/u.test(
      name,
    ) &&
    !readHeading(name)?.role &&
    name.length > 3 &&
    name.length < 100 &&
    words.length < 13 &&
    // A sentence has more words in lower case than a name.
    words.filter((word) => /^\p{Ll}{5,}/u.test(word)).length <= words.length / 3 &&
    !NOT_JOURNAL.test(name) &&
    !MONTH.test(name) &&
    !plain.includes(wanted.slice(0, 30) || '\0')
  )
}
