import type { FirstPage, FirstPageLine, PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { asPrinted, type FrontMatter } from './first-page.ts'
import { normaliseWithMap } from '#shared/passages/find-passage.ts'
import type { Quoted } from './quoted.ts'
import { readHeading } from './section-headings.ts'

/** Kinds of article alone on a line, and beginnings of banners and addresses, printed above a title. */
const KIND =
  /^(?:(?:original |regular |full |invited |short |rapid |brief )?(?:research|review|article|paper|investigation|report|communication|editorial|letter|case report|systematic review|correspondence)s?(?: article| paper)?|open access|research open access|special issue(?: .{0,40})?|article info|author manuscript|a\s?r\s?t\s?i\s?c\s?l\s?e\s?i\s?n\s?f\s?o|check for updates|preprint)$/iu
const BANNER =
  /^(?:available online|sciencedirect|contents lists|downloaded from|arxiv:|vol(?:ume|\.)?\s*\d|https?:|www\.|doi\b|issn|isbn|journal homepage|cite this|citation:|received:?\s|submitted:?\s|accepted:?\s|published:?\s|copyright|©|keywords?:|\[page)/iu
/** Addresses and affiliations, not a hospital or school within a title. */
const NOT_A_TITLE =
  /@|^\d{1,2}\s?\p{Lu}[^,]*,|\b(?:universit\p{L}*|department of|institut\p{L}*|school of|college|hospital|cent(?:er|re) for)\b[^.:?]*,|,\s*(?:the )?universit|\bcorresponding author|\b\d{4}-\d{3}[\dX]\b|doi\.org/iu
/** Names with affiliation marks, or a row of names. */
const AUTHORS =
  /\p{L}\d{1,2}(?:,\d{1,2})*(?:\s*[,·•;∗*†]|\s+and\b|$)|·|¶|^(?:by\s)?(?:\p{Lu}[\p{L}.’'-]*\s+){1,3}\p{Lu}[\p{L}’'-]+(?:,| and | & )\s*(?:\p{Lu}[\p{L}.’'-]*\s+){1,3}\p{Lu}[\p{L}’'-]+/u
const JOURNAL_NAME =
  /^(?:the )?(?:[\p{L}&-]+ ){0,3}(?:journal|proceedings|bulletin|annals|transactions|archives) (?:of|on|for|in)\b(?![^:]*:)|\bjournal$/iu
const BAD_METADATA = /\.(?:docx?|tex|indd|qxd|pdf|rtf|dvi)\b|^untitled|microsoft word|^pii:|^doi|^slide|^layout/i
const LONGEST_TITLE = 350

/**
 * Returns the title: the PDF's own if the first page prints it; else the lines in the largest type near the top of page
 * 1 (with a subtitle below them); else, without a layout, the first paragraph that resembles a title.
 */
export function findTitle(
  front: FrontMatter,
  firstPage: FirstPage | null,
  metadata: PdfMetadata | null,
): Quoted | null {
  const own = metadata?.title?.replace(/\s+/g, ' ').trim() ?? ''
  const groups = firstPage ? groupBySize(firstPage) : []
  const largest = groups.toSorted((a, b) => titleScore(b) - titleScore(a))[0]
  const set = largest && titleScore(largest) > 0 ? withSubtitle(largest, groups) : null
  if (own.length > 11 && own.length < LONGEST_TITLE && !BAD_METADATA.test(own)) {
    const printed = asPrinted(front.flat, own)
    const isStart = set && letters(set).startsWith(letters(own))
    if (isStart) return { value: tidy(set), quote: asPrinted(front.flat, set) ?? printed }
    if (printed) return { value: tidy(printed), quote: printed }
  }
  if (set) return { value: tidy(set), quote: set }
  const first = titleParagraph(front)
  return first ? { value: tidy(first), quote: first } : null
}

interface Group {
  text: string
  size: number
  top: number
  bottom: number
  order: number
}

/** Groups consecutive lines of one size with small distances. */
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
  line.y > page.height * 0.35 && line.text.length > 1 && /\p{L}{2}/u.test(line.text) && !isBanner(line.text)

function titleScore(group: Group): number {
  const words = group.text.split(' ').length
  if (group.text.length > LONGEST_TITLE || NOT_A_TITLE.test(group.text) || readHeading(group.text)?.role) return 0
  const byLength = words >= 4 ? 1 : words >= 2 ? 0.85 : 0.4
  return group.size * byLength * (JOURNAL_NAME.test(group.text) ? 0.4 : 1) * (AUTHORS.test(group.text) ? 0.5 : 1)
}

/** A subtitle is directly below, in a size between the title's and the text's, and is not a row of names. */
function withSubtitle(title: Group, groups: readonly Group[]): string {
  const next = groups[title.order + 1]
  const bodySize = median(groups.filter((group) => group.text.length > 60).map((group) => group.size))
  const isSubtitle =
    next &&
    next.size < title.size &&
    next.size >= bodySize * 1.08 &&
    title.bottom - next.top < title.size * 2.6 &&
    next.text.split(' ').length >= 4 &&
    next.text.length < 200 &&
    !AUTHORS.test(next.text) &&
    !NOT_A_TITLE.test(next.text) &&
    !readHeading(next.text)?.role
  if (!isSubtitle) return title.text
  return /[:?!.–—-]$/.test(title.text) ? `${title.text} ${next.text}` : `${title.text}: ${next.text}`
}

/**
 * Without sizes: returns a paragraph that the page prints twice (title and citation), else the first that resembles a
 * title.
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
      !AUTHORS.test(text) &&
      !readHeading(text)?.role &&
      !/\b(?:19|20)\d\d\)?[;,]? ?\d*[:(]/.test(text)
    )
  })
  const rest = normaliseWithMap(front.around.join(' ').slice(0, 60_000)).text
  const isTwice = (text: string) => {
    const wanted = letters(text)
    return wanted.length > 15 && rest.indexOf(wanted, rest.indexOf(wanted) + 1) >= 0
  }
  return likely.find(isTwice) ?? likely.find((text) => text.split(' ').length >= 4) ?? likely[0] ?? null
}

/** 'We found that tea was warm.' */
const isStatement = (text: string) => text.endsWith('.') && /\b(?:we|is|are|was|were|has|have|can|found)\b/i.test(text)
const isBanner = (text: string) => KIND.test(text) || BANNER.test(text)
const letters = (text: string) => normaliseWithMap(text).text
const tidy = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\s∗*†‡§¶]+$/u, '')
    .replace(/(?<=\p{L}{2})\.$/u, '')
    .trim()

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
