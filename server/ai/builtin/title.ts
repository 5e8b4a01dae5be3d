import type { FirstPage, FirstPageLine, PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { readNames } from './author-names.ts'
import { asPrinted, type FrontMatter } from './first-page.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { readOcrNames } from './ocr-names.ts'
import type { Quoted } from './quoted.ts'
import { readHeading } from '#server/language/section-headings.ts'

/**
 * Patterns of lines above a title that are not the title: KIND matches the kind of the article, BANNER a banner or an address.
 */
const KIND =
  /^(?:(?:original |regular |full |invited |short |rapid |brief )?(?:research|review|article|paper|investigation|report|communication|editorial|letter|case report|systematic review|correspondence)s?(?: article| paper)?|open access|research open access|special issue(?: .{0,40})?|article info|author manuscript|a\s?r\s?t\s?i\s?c\s?l\s?e\s?i\s?n\s?f\s?o|check for updates|preprint)$/iu
const BANNER =
  /^(?:available online|sciencedirect|contents lists|downloaded from|arxiv:|vol(?:ume|\.)?\s*\d|https?:|www\.|doi\b|issn|isbn|journal homepage|cite this|citation:|received:?\s|submitted:?\s|accepted:?\s|published:?\s|copyright|©|keywords?:|\[page)/iu
/** Matches words on the cover sheet that a repository adds to a paper. */
const COVER =
  /\b(?:repository|research (?:archive|portal|online|explorer)|accepted (?:manuscript|version)|author(?:’s|'s)? (?:accepted |final )?(?:version|manuscript)|post-?print|cover sheet)\b/iu
/** Matches addresses and affiliations, but not a title that mentions a hospital or a school. */
const NOT_A_TITLE =
  /@|^\d{1,2}\s?\p{Lu}[^,]*,|\b(?:universit\p{L}*|department of|institut\p{L}*|school of|college|hospital|cent(?:er|re) for)\b[^.:?]*,|,\s*(?:the )?univ(?:ersit|\.)|\bcorresponding author|\b\d{4}-\d{3}[\dX]\b|doi\.org/iu
/** Matches names of authors with marks of their affiliations, such as 'Ann Bee1,2'. */
const MARKED_NAMES =
  /\p{L}[\d\p{No}]{1,3}(?:,[\d\p{No}]{1,3})*(?:\s*[,·•;∗*†]|\s+and\b|$)|(?<=\p{Ll}) [a-f](?:,[a-f*])*,\s|·|¶/u
const JOURNAL_NAME =
  /^(?:the )?(?:[\p{L}&-]+ ){0,3}(?:journal|proceedings|bulletin|annals|transactions|archives) (?:of|on|for|in)\b(?![^:]*:)|\bjournal$/iu
const BAD_METADATA = /\.(?:docx?|tex|indd|qxd|pdf|rtf|dvi)\b|^untitled|microsoft word|^pii:|^doi|^slide|^layout/i
const LONGEST_TITLE = 350

/** Matches the number of a series or volume at the end of a line: ', No. 2017-31' in 'Tea Papers, No. 2017-31'. */
const NUMBERED_SERIES = /,?\s(?:no|nr|vol|volume|issue|band|heft|núm|n[°º])\.?\s*\d[\d–-]*\)?$/iu

/**
 * Returns the title: the lines in the largest type near the top of page 1, with a subtitle below them. Uses the title of the
 * PDF's metadata if the page prints it in a type that is nearly as large, or if nothing in large type resembles a title.
 * Without a layout, uses the title of the metadata if the page prints it, else the first paragraph that resembles a title.
 */
export function findTitle(
  front: FrontMatter,
  firstPage: FirstPage | null,
  metadata: PdfMetadata | null,
): Quoted | null {
  const own = metadata?.title?.replace(/\s+/g, ' ').trim() ?? ''
  const isUsable = own.length > 11 && own.length < LONGEST_TITLE && !BAD_METADATA.test(own)
  const printed = isUsable ? asPrinted(front.flat, own) : null
  const groups = firstPage ? groupBySize(firstPage) : []
  const score = (group: Group) => titleScore(group, front)
  const largest = groups.toSorted((a, b) => score(b) - score(a))[0]
  const set = largest && score(largest) > 0 ? largest : null
  if (set && !(printed && isRival(own, set, groups))) {
    const whole = ownContinuation(own, set, groups, front) ?? withSubtitle(set, groups, front)
    return { value: tidy(whole), quote: asPrinted(front.flat, whole) ?? set.text }
  }
  if (printed) return { value: tidy(printed), quote: printed }
  const first = titleParagraph(front)
  return first ? { value: tidy(first), quote: first } : null
}

/**
 * Returns whether page 1 prints the title of the PDF's metadata (`own`) in another place than `set`, the lines in the largest
 * type, and in a type that is nearly as large (in any type if `set` has fewer than four words).
 */
function isRival(own: string, set: Group, groups: readonly Group[]): boolean {
  const wanted = letters(own)
  const text = letters(set.text)
  if (wanted.includes(text) || text.includes(wanted)) return false
  const group = groups.find((one) => wanted.startsWith(letters(one.text)) || letters(one.text).includes(wanted))
  return group !== undefined && (group.size >= set.size * 0.75 || isWeak(set))
}

const isWeak = (group: Group) => group.text.split(' ').length < 4

/**
 * Returns the title of the PDF's metadata (`own`) as printed, if it consists of the lines in the largest type (`set`) and the
 * lines directly below them, and if the lines below are not authors. Else returns null.
 */
function ownContinuation(own: string, set: Group, groups: readonly Group[], front: FrontMatter): string | null {
  const next = groups[set.order + 1]
  const rest = letters(own).startsWith(letters(set.text)) ? letters(own).slice(letters(set.text).length) : ''
  if (!next || rest === '' || !letters(next.text).startsWith(rest) || isAuthors(next.text, front)) return null
  return letters(next.text) === rest ? `${set.text}${/[:?!.–—-]$/.test(set.text) ? '' : ':'} ${next.text}` : null
}

/** Returns whether a text is a row of authors. */
function isAuthors(text: string, front: FrontMatter): boolean {
  if (MARKED_NAMES.test(text)) return true
  const { names, share } = readNames(text, front.isCommonWord)
  if (share >= 0.7) return names.length > 1 || /[*∗†‡§¶\p{No}]\s*$/u.test(text)
  return readOcrNames([text], front.isCommonWord) !== null
}

/**
 * Returns whether a text is a name before a date or an institution: 'Ann Bee March 3, 2021', 'Ann Bee Northfield University'.
 */
function isAuthorBeforeMore(text: string, front: FrontMatter): boolean {
  const name = /^(.{4,60}?)\s+(?:\p{Lu}\p{Ll}+ \d{1,2}, (?:19|20)\d\d|\d{1,2}\.? \p{L}+ (?:19|20)\d\d)$/u.exec(
    text,
  )?.[1]
  if (name !== undefined) return readNames(name, front.isCommonWord).share >= 0.7
  const words = text.split(' ')
  const isAtInstitution = /\b(?:universit\p{L}*|institut\p{L}*|college|hospital)$/iu.test(text)
  return isAtInstitution && readNames(words.slice(0, 2).join(' '), front.isCommonWord).share === 1
}

interface Group {
  text: string
  size: number
  top: number
  bottom: number
  order: number
}

/** Groups consecutive lines that have the same type size and small distances. */
function groupBySize(page: FirstPage): Group[] {
  const groups: Group[] = []
  for (const line of page.lines.slice(0, 400)) {
    if (!isTitleLine(line, page)) continue
    const last = groups.at(-1)
    const gap = last ? last.bottom - line.y : 0
    if (last && Math.abs(last.size - line.size) < 0.6 && gap > -2 && gap < line.size * 2.2) {
      last.text += last.text.endsWith('-') && /^\p{Ll}/u.test(line.text) ? line.text : ` ${line.text}`
      last.bottom = line.y
    } else groups.push({ text: line.text, size: line.size, top: line.y, bottom: line.y, order: groups.length })
  }
  return groups
}

const isTitleLine = (line: FirstPageLine, page: FirstPage) =>
  line.y > page.height * 0.35 &&
  line.text.length > 1 &&
  /\p{L}{2}|\d{4}\s?[–-]\s?\d{4}/u.test(line.text) &&
  !isBanner(line.text)

function titleScore(group: Group, front: FrontMatter): number {
  const words = group.text.split(' ').length
  if (group.text.length > LONGEST_TITLE || NOT_A_TITLE.test(group.text) || NUMBERED_SERIES.test(group.text)) return 0
  // Only a short text is a heading: a title can begin like one, as in 'Introduction to the brewing of tea'.
  if (words < 5 && readHeading(group.text)?.role) return 0
  const byLength = words >= 4 ? 1 : words >= 2 ? 0.85 : 0.4
  const isHead = words < 9 && front.runningLines.some((line) => line !== group.text && isHeadOf(line, group.text))
  const isJournal = JOURNAL_NAME.test(group.text) || isHead
  return group.size * byLength * (isJournal ? 0.4 : 1) * (isAuthors(group.text, front) ? 0.5 : 1)
}

/**
 * Returns whether `line`, a running head, begins with `text` and continues with a volume, a year or an address. Then `text` is
 * the name of a journal.
 */
export const isHeadOf = (line: string, text: string) =>
  line.startsWith(text) && /^[\s,.|(·•]*(?:\d|vol|www|http)/i.test(line.slice(text.length))

/**
 * Returns the title with its subtitle, if there is one: the lines directly below the title, in a type smaller than the title
 * and larger than the running text, that are not names.
 */
function withSubtitle(title: Group, groups: readonly Group[], front: FrontMatter): string {
  const next = groups[title.order + 1]
  const bodySize = median(groups.filter((group) => group.text.length > 60).map((group) => group.size))
  const isSubtitle =
    next &&
    // The title already has a subtitle, so the next lines are its translation.
    !/[:?!–—] \p{L}/u.test(title.text) &&
    next.size < title.size &&
    next.size >= bodySize * 1.08 &&
    title.bottom - next.top < title.size * 2.6 &&
    next.text.split(' ').length >= 4 &&
    next.text.length < 200 &&
    !isAuthors(next.text, front) &&
    !isAuthorBeforeMore(next.text, front) &&
    !NOT_A_TITLE.test(next.text) &&
    !/\b(?:thesis|dissertation)\b/i.test(next.text) &&
    !readHeading(next.text)?.role
  if (!isSubtitle) return title.text
  return /[:?!.–—-]$/.test(title.text) ? `${title.text} ${next.text}` : `${title.text}: ${next.text}`
}

/**
 * Finds the title in a text without type sizes. Returns a paragraph that the page prints twice (as title and in a citation),
 * else the first paragraph that resembles a title.
 */
function titleParagraph(front: FrontMatter): string | null {
  const abstractAt = front.paragraphs.findIndex((text) =>
    /^(?:abstract|summary|zusammenfassung|résumé|resumen)\b/i.test(text),
  )
  const before = front.paragraphs.slice(0, abstractAt > 0 ? Math.min(abstractAt, 15) : 8)
  const likely = before.filter((text) => {
    const words = text.split(' ').length
    return (
      words >= 2 &&
      words <= 40 &&
      text.length <= LONGEST_TITLE &&
      /\p{L}{3}/u.test(text) &&
      /^[“"‘'(]?[\p{L}\d]/u.test(text) &&
      !/\p{Ll}\.\s+\p{Lu}/u.test(text) &&
      !isStatement(text) &&
      !isBanner(text) &&
      !JOURNAL_NAME.test(text) &&
      !NOT_A_TITLE.test(text) &&
      !isAuthors(text, front) &&
      !readHeading(text)?.role &&
      !/\b(?:19|20)\d\d\)?[;,]? ?\d*[:(]/.test(text)
    )
  })
  const rest = normalizeWithMap(front.around.join(' ').slice(0, 60_000)).text
  const isTwice = (text: string) => {
    const wanted = letters(text)
    return wanted.length > 15 && rest.indexOf(wanted, rest.indexOf(wanted) + 1) >= 0
  }
  return likely.find(isTwice) ?? likely.find((text) => text.split(' ').length >= 4) ?? likely[0] ?? null
}

/** Returns whether a text is a sentence and not a title: 'We found that tea was warm.' */
const isStatement = (text: string) => text.endsWith('.') && /\b(?:we|is|are|was|were|has|have|can|found)\b/i.test(text)
const isBanner = (text: string) =>
  KIND.test(text) || BANNER.test(text) || (COVER.test(text) && text.split(' ').length < 9)
const letters = (text: string) => normalizeWithMap(text).text
const tidy = (text: string) =>
  text
    .replace(/^title\s*:\s*/i, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s∗*†‡§¶]+$/u, '')
    .replace(/(?<=\p{L}{2})\.$/u, '')
    .trim()

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
