import { normalizeWithMap, locateIn } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import type { ExtractiveInput } from './analysis.ts'
import { type FrontMatter, frontMatter } from './first-page.ts'
import { findFrontFacts } from './front-facts.ts'
import { isShortFor, withoutAuthors } from './journal-candidates.ts'
import { FRONT_CHARACTERS } from './paper-name.ts'
import { readParagraphs } from './paragraphs.ts'
import { type PrintedVolume, readLabelledVolume, readVolume, type VolumeAndPages } from './read-volume.ts'

/** The facts of a paper by which a line with a volume is recognized as a line about this paper. */
interface KnownFacts {
  title: string | null
  authors: readonly string[]
  journal: string | null
  doi: string | null
  /** yyyy-MM-dd */
  date: string | null
}

/** Maximum length of a paragraph that can be a publisher's line, in characters. */
const LONGEST_LINE = 300
/** The year of the issue can differ from the year of the online publication by this number of years. */
const MOST_YEARS_APART = 2

/** Matches the label of a citation of the paper at the beginning of a line. */
const CITE = /^(?:(?:how )?(?:to )?cite|citation|source)(?: this)?(?: article| paper)?(?: as)?\s?:?\s/i
const PAGE_NUMBER = /^\d{1,5}\s+(?=\D)/

const letters = (text: string) => normalizeWithMap(text).text

/**
 * Returns the volume, issue and pages that a paper prints about itself on its first page or in its running heads, from its text
 * and the data of its PDF. Returns {} if it prints none. Takes a few milliseconds.
 */
export function readPrintedVolume({ text, metadata, firstPage }: ExtractiveInput): VolumeAndPages {
  const page = firstPage && firstPage.lines.length > 0 ? firstPage : null
  const front = frontMatter(readParagraphs(splitPages(text.slice(0, FRONT_CHARACTERS))), page)
  const { title, authors, journal, doi, date } = findFrontFacts(front, page, metadata ?? null)
  return findVolume(front, {
    title: title?.value ?? null,
    authors: authors.map((one) => one.value),
    journal: journal?.value ?? null,
    doi: doi?.value ?? null,
    date: date?.value ?? null,
  })
}

/**
 * Returns volume, issue and pages that the paper prints about itself on its first page or in its running heads: after the name
 * of its journal at the beginning of a line, after its title in a citation, before its DOI, or with labels and a year or pages
 * ('Vol. 12, No. 3, 2019') in a running head or above the title. Ignores a line whose year is not that of the paper. If these
 * lines differ in a value, the result lacks this value. Returns {} if there is no such line.
 */
function findVolume(front: FrontMatter, facts: KnownFacts): VolumeAndPages {
  const wanted = letters(facts.title ?? '')
  const titleAt = front.paragraphs.findIndex((text) => wanted !== '' && wanted.startsWith(letters(text).slice(0, 200)))
  const heads = front.runningLines.flatMap((line) => [line, ...(line.includes('\t') ? line.split('\t') : [])])
  const found = [
    ...heads.flatMap((text) => [citedIn(text, facts), inLine(text, facts, true)]),
    ...front.paragraphs.flatMap((text, at) => [citedIn(text, facts), inLine(text, facts, at < titleAt)]),
  ].filter((one): one is PrintedVolume => one !== null && isYearOf(one, facts))
  const same = (field: keyof VolumeAndPages): VolumeAndPages => {
    const values = found.flatMap((one) => one[field] ?? [])
    const ranges = field === 'page' ? values.filter((value) => value.includes('-')) : []
    const [value, ...others] = new Set(ranges.length > 0 ? ranges : values)
    return value !== undefined && others.length === 0 ? { [field]: value } : {}
  }
  // Values without a common volume can belong to different works.
  if (new Set(found.flatMap(({ volume }) => volume ?? [])).size > 1) return {}
  return { ...same('volume'), ...same('issue'), ...same('page') }
}

const isYearOf = ({ year }: PrintedVolume, { date }: KnownFacts) =>
  year === null || date === null || Math.abs(year - Number(date.slice(0, 4))) <= MOST_YEARS_APART

/**
 * Returns the volume in a citation of the paper: after its title and the name of a journal. The text before the title has the
 * name of an author or the label of a citation.
 */
function citedIn(paragraph: string, { title, authors }: KnownFacts): PrintedVolume | null {
  const text = paragraph.slice(0, 1500)
  const wanted = letters(title ?? '')
  if (title === null || wanted.length < 15 || !letters(text).includes(wanted)) return null
  const found = locateIn(text, title)
  if (!found || found.match === 'approximate') return null
  const before = text.slice(0, found.start)
  if (!CITE.test(before) && !authors.some((author) => before.includes(author.split(' ').at(-1)!))) return null
  const after = text.slice(found.end, found.end + 200).replace(/\s+/g, ' ')
  const [name] =
    /^[\s.,;:”"’'?!–—-]*(?:\(?(?:19|20)\d\d\)?[.,:]\s?)?(?:In:?\s)?(?:\p{Lu}[^;:()[\]\d]{2,120}?)?[\s.,]*(?=\(?\d)/u.exec(
      after,
    ) ?? []
  const labelled = readLabelledVolume(after)
  return (name === undefined ? null : readVolume(after.slice(name.length))) ?? (labelled?.volume ? labelled : null)
}

/**
 * Returns the volume in a line that begins with the name of the journal, or that has the volume and the DOI of the paper.
 * `isHead` is true for a running head and for a line above the title: then the name can be missing beside labels.
 */
function inLine(line: string, facts: KnownFacts, isHead: boolean): PrintedVolume | null {
  const text = withoutAuthors(line.replace(/\s+/g, ' ').replace(PAGE_NUMBER, '').replace(CITE, ''), facts.authors)
  if (text.length > LONGEST_LINE) return null
  const hasDoi = facts.doi !== null && letters(text).includes(letters(facts.doi))
  const after = afterName(text, facts.journal)
  const isOwn = hasDoi || /©|\bISSN\b/.test(text)
  if (after !== null) {
    const read = readVolume(after) ?? readLabelledVolume(after)
    return read && (isHead || isOwn || isSameYear(read, facts)) ? read : null
  }
  if (!isHead && !hasDoi) return null
  const own = hasDoi ? readVolume(text) : null
  if (own) return own
  const labelled = readLabelledVolume(text)
  const isComplete = labelled?.volume !== undefined && (labelled.year !== null || labelled.page !== undefined)
  return isComplete && hasNoOtherName(text, facts) ? labelled : null
}

const isSameYear = ({ year }: PrintedVolume, { date }: KnownFacts) =>
  year !== null && date !== null && year === Number(date.slice(0, 4))

/** Returns the text after the name of the journal, or a short form of it, at the beginning of a line; null without the name. */
function afterName(text: string, journal: string | null): string | null {
  if (journal === null) return null
  if (text.toLowerCase().startsWith(journal.toLowerCase())) return text.slice(journal.length)
  const head = /^[^\d;(|·•—[]{3,120}/u.exec(text)?.[0] ?? ''
  const name = head.replace(/[\s,.]*(?:\bvol(?:ume)?|\bband|\bbd|\bno)?[\s,.:]*$/iu, '')
  const isForm = letters(name) === letters(journal) || isShortFor(name, journal) || isShortFor(journal, name)
  return isForm ? text.slice(name.length) : null
}

/** Returns whether a line has no words except those of a volume, a date, an address and the journal. */
function hasNoOtherName(text: string, { journal }: KnownFacts): boolean {
  const rest = text
    .replace(/\S*(?:@|:\/\/|www\.|10\.\d{4})\S*/g, ' ')
    .toLowerCase()
    .replace(journal?.toLowerCase() ?? '\0', ' ')
  const KNOWN =
    /^(?:volumen?|issue|number|article|pages|band|heft|tomo|jahrgang|ausgabe|seiten|issn|print|online|número|numéro|doi|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember|spring|summer|autumn|winter|fall)$/u
  return (rest.match(/\p{L}{4,}/gu) ?? []).every((word) => KNOWN.test(word))
}
