import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import type { FirstPage, FirstPageLine, PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { type NameList, type PrintedName, readNames } from './author-names.ts'
import type { FrontMatter } from './first-page.ts'
import type { Quoted } from './quoted.ts'
import { readHeading } from '#server/language/section-headings.ts'

const MOST_AUTHORS = 500
/** Minimum share of names among the parts of a row of authors. */
const ENOUGH_NAMES = 0.7
/** Minimum share of names in a row of authors if texts that consist of common words of the paper do not count as names. */
const ENOUGH_STRICT = 0.5
/** Patterns: END matches the beginning of the text after the authors, OTHER_PEOPLE a row of persons who are not authors. */
const END =
  /^(?:abstract|summary|keywords?|key words|index terms|introduction|resumen|résumé|zusammenfassung|riassunto|resumo|samenvatting|аннотация)(?!\p{L})|^(?:초록|요약|국문초록|摘要|要旨|要約|抄録)/iu
const OTHER_PEOPLE = /^(?:(?:academic |handling |associate |guest )?editors?\b|edited by|communicated by|reviewed by)/i

/**
 * Returns the authors in their order, each with its printed form: the names below the title, in one row or in one block for
 * each author; else the row above the title; else the names on page 2 after a cover sheet; else the names in a citation of the
 * paper. If the PDF's metadata has more authors and the first pages print them all, returns the authors of the metadata.
 */
export function findAuthors(
  front: FrontMatter,
  firstPage: FirstPage | null,
  metadata: PdfMetadata | null,
  title: string | null,
): Quoted[] {
  const blocks = firstPage ? blocksBelow(firstPage, title) : paragraphsBelow(front.paragraphs, title)
  const below = namesIn(withNextPage(blocks, firstPage, front), front.isCommonWord)
  const printed = [() => below, () => namesAbove(front, firstPage, title), () => namesBehindCover(front, title)].reduce<
    readonly PrintedName[]
  >((found, find) => (found.length > 0 ? found : find()), [])
  const fromFile = readNames(metadata?.author ?? '').names
  const page = letters([front.flat, ...front.around.slice(0, 60)].join(' '))
  const isPrinted = ({ value }: PrintedName) => page.includes(letters(value))
  if (fromFile.length > printed.length && fromFile.every(isPrinted)) return quoted(fromFile)
  if (printed.length > 0) return quoted(printed)
  return quoted(namesInCitation(front, title))
}

const letters = (text: string) => normalizeWithMap(text).text

function quoted(names: readonly PrintedName[]): Quoted[] {
  const seen = new Set<string>()
  return names
    .filter(({ value }) => !seen.has(value) && seen.add(value))
    .slice(0, MOST_AUTHORS)
    .map(({ value, printed }) => ({ value, quote: printed }))
}

/** Consecutive lines in one type size (in points; 0 without a layout). */
interface Block {
  lines: string[]
  size: number
  /** The baseline of the last line. */
  y: number
}

const BEFORE_ADDRESS =
  /\s(?=(?:Department|Institut|School|Facult|Universit|Cent(?:er|re)|Laborator|Division|College|Hospital)\p{L}*\s)/u

const MOST_LINES = 120

/** Returns the blocks of lines between the title and the abstract. */
function blocksBelow(page: FirstPage, title: string | null): Block[] {
  const wanted = letters(title ?? '')
  const lines = page.lines.slice(0, 400)
  const isTitle = ({ text }: FirstPageLine) => letters(text).length > 2 && wanted.includes(letters(text))
  const begins = lines.map((line) => (isTitle(line) && wanted.startsWith(letters(line.text)) ? line.size : 0))
  // A citation beside the title contains the title too, in a smaller type.
  const first = begins.indexOf(Math.max(...begins))
  if (!(begins[first]! > 0)) return []
  let last = first
  while (last + 1 < lines.length && isTitle(lines[last + 1]!)) last++
  const bottom = lines[last]!.y
  const blocks: Block[] = []
  for (const line of lines.slice(last + 1, last + 1 + MOST_LINES)) {
    if (END.test(line.text) || readHeading(line.text)?.role) break
    if (line.y > bottom) continue
    const open = blocks.at(-1)
    const gap = open ? open.y - line.y : 0
    const isBeside = open && Math.abs(gap) < 0.3 * line.size
    const isNext = open && Math.abs(open.size - line.size) < 0.4 && gap > 0 && gap < 1.7 * Math.max(line.size, 9)
    if (open && (isNext || (isBeside && line.text.length < 4))) {
      open.lines.push(line.text)
      if (isNext) open.y = line.y
    } else blocks.push({ lines: [line.text], size: line.size, y: line.y })
  }
  // A cover sheet has a citation below the title.
  return blocks.filter((block) => !letters(block.lines.join(' ')).includes(wanted))
}

/** Returns the names in the row above the title, if a running head or another paragraph also has the first family name. */
function namesAbove(front: FrontMatter, page: FirstPage | null, title: string | null): PrintedName[] {
  const wanted = letters(title ?? '')
  const rows = page ? page.lines.map((line) => line.text) : front.paragraphs
  const at = rows.findIndex((text) => letters(text).length > 2 && wanted.startsWith(letters(text)))
  const { names, share } = readNames(rows[at - 1] ?? '', front.isCommonWord)
  const family = names[0]?.value.split(' ').at(-1) ?? ''
  const isRepeated = [...(page?.heads ?? []), ...front.around.slice(1)].some(
    (text) => text !== rows[at - 1] && text.includes(family),
  )
  return share === 1 && isRepeated ? names : []
}

/**
 * If a list of authors reaches the end of page 1, appends to its block the paragraphs of page 2 that are names. Returns all
 * blocks.
 */
function withNextPage(blocks: readonly Block[], page: FirstPage | null, front: FrontMatter): readonly Block[] {
  const at = blocks.findIndex((block) => page !== null && block.lines.length > 5 && block.y < page.height * 0.15)
  if (at < 0) return blocks
  const further = front.nextPage.filter((text) => readNames(text, front.isCommonWord).share >= ENOUGH_NAMES)
  return blocks.with(at, { ...blocks[at]!, lines: [...blocks[at]!.lines, ...further] })
}

/** Returns the names below the title on page 2, if page 1 is a cover sheet that cites the same family names. */
function namesBehindCover(front: FrontMatter, title: string | null): PrintedName[] {
  const at = front.nextPage.findIndex((text) => letters(text) === letters(title ?? ''))
  const [row = ''] = at < 0 ? [] : (front.nextPage[at + 1] ?? '').split(BEFORE_ADDRESS)
  const { names, share } = readNames(row)
  const cited = letters(front.flat)
  const isCited = ({ value }: PrintedName) => cited.includes(letters(value.split(' ').at(-1)!))
  return share === 1 && names.every(isCited) ? names : []
}

/** Returns the paragraphs after the title, for a text without a layout. */
function paragraphsBelow(paragraphs: readonly string[], title: string | null): Block[] {
  const wanted = letters(title ?? '')
  const at = paragraphs.findIndex((text) => wanted !== '' && letters(text).includes(wanted))
  const after = paragraphs.slice(at + 1, at + 13)
  const end = after.findIndex((text) => END.test(text) || readHeading(text)?.role)
  return after.slice(0, end < 0 ? undefined : end).map((text) => ({ lines: [text], size: 0, y: 0 }))
}

/** Returns the names of the first block that is a row of names or begins with a name, and of similar blocks after it. */
function namesIn(blocks: readonly Block[], isCommonWord: (word: string) => boolean): PrintedName[] {
  const found: PrintedName[] = []
  let size: number | null = null
  let isRow = false
  for (let index = 0; index < blocks.length; index++) {
    let block = blocks[index]!
    if (OTHER_PEOPLE.test(block.lines[0]!)) continue
    if (size !== null && Math.abs(block.size - size) > 0.4) {
      if (isRow) break
      continue
    }
    let row = namesInRows(block.lines, isCommonWord)
    // Double spacing: each line of the row is a block.
    for (let next = blocks[index + 1]; row.isOpen && next && isSameSize(block, next); next = blocks[index + 1]) {
      const longer = { ...next, lines: [...block.lines, ...next.lines] }
      const longerRow = namesInRows(longer.lines, isCommonWord)
      if (longerRow.share < ENOUGH_NAMES || nameBeforeAddress(next.lines[0]!)) break
      block = longer
      row = longerRow
      index++
    }
    const head = readNames(block.lines[0]!, isCommonWord)
    const isFirst = size === null
    if (row.share >= (isFirst ? ENOUGH_NAMES : 1)) {
      found.push(...row.names)
      isRow ||= row.names.length > 1 && block.lines.length < 2 * row.names.length
    } else if (!isRow && head.share === 1) found.push(...head.names)
    else if (isRow) break
    else continue
    size = block.size
  }
  return found
}

const isSameSize = (a: Block, b: Block) => Math.abs(a.size - b.size) <= 0.4

/**
 * Returns the names in the lines of a block. Joins the lines, unless each line is a separate name or begins with one: 'Ann Bee,
 * Northfield University'.
 */
function namesInRows(lines: readonly string[], isCommonWord: (word: string) => boolean): NameList {
  const each = lines.map((line) => readNames(line, isCommonWord))
  const isList = each.every((row) => row.share === 1 && row.names.length === 1 && !row.isOpen)
  const rows = isList ? lines.join('\n') : lines.join(' ').replace(/(?<=[\p{L}\d]-) (?=[\p{Lu}\d])/gu, '')
  const strict = readNames(rows, isCommonWord)
  // In a row of names, a name can consist of common words of the paper: 'Rose Field'.
  const list = strict.share >= ENOUGH_STRICT ? readNames(rows) : strict
  if (list.share >= ENOUGH_NAMES) return list
  const [heads, others] = [lines.map(nameBeforeAddress), lines.filter((line) => !nameBeforeAddress(line))]
  const names = heads.filter((head) => head !== null).map((head) => readNames(head, isCommonWord))
  const isEachHead =
    Boolean(heads[0]) &&
    names.every((name) => name.share === 1 && name.names.length === 1) &&
    others.every((line) => readNames(line, isCommonWord).share < ENOUGH_STRICT)
  return isEachHead ? { names: names.flatMap((name) => name.names), share: 1, isOpen: false } : list
}

/**
 * Returns the name, as printed, before an address in a line such as 'Ann Bee, Northfield University' or 'ANN BEE, Lagos,
 * Nigeria'. Returns null for any other line.
 */
function nameBeforeAddress(line: string): string | null {
  const INSTITUTION =
    /^(?<name>[^,]+), .*\b(?:Univ|Institut|Colleg|Hospital|Hochschule|Facult|Depart|Cent(?:er|re)\b|School|Laborator|Ministry|Academy|Council|Agency|Museum|Inc\b|Ltd|GmbH)/u
  const CAPITALS = /^(?<name>[\p{Lu}\p{M} .’'-]{4,}), .*\p{Ll}{2}/u
  return (INSTITUTION.exec(line) ?? CAPITALS.exec(line))?.groups?.['name'] ?? null
}

/**
 * Returns the names in a citation of the paper: 'ACM Reference Format: Ann Bee and Carl Dee. 2024. …' or 'Cite this article: Bee
 * A, Dee C. …'
 */
function namesInCitation(front: FrontMatter, title: string | null): PrintedName[] {
  const CITATION =
    /(?:reference format|how to cite(?: this article)?|cite this (?:article|paper)(?: as)?|to cite this article|citation)\s*:?\s*(?<names>[^:]{5,1500}?)[.,]?\s*\(?(?:19|20)\d\d\b/iu
  for (const text of front.around) {
    const names = CITATION.exec(text.slice(0, 3000))?.groups?.names
    const list = names ? readNames(names) : null
    if (list && list.share >= ENOUGH_NAMES) return list.names
    // 'Bee A, Dee C. On tea. Warm Drinks. 2020;4'
    const at = title === null ? -1 : text.toLowerCase().indexOf(title.toLowerCase())
    const before = at > 3 && at < 1500 ? text.slice(0, at).replace(/\W*\(?(?:19|20)\d\d\)?\W*$/, '') : ''
    const citing = before ? readNames(before) : null
    if (citing && citing.share === 1) return citing.names
  }
  return []
}
