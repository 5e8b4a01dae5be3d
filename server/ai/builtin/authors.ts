import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import type { FirstPage, PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { type Block, blocksBelow, paragraphsBelow } from './author-blocks.ts'
import { type NameList, type PrintedName, readNames } from './author-names.ts'
import type { FrontMatter } from './first-page.ts'
import { isMisread, readOcrNames } from './ocr-names.ts'
import type { Quoted } from './quoted.ts'
import { isHeadOf } from './title.ts'

const MOST_AUTHORS = 500
/** Minimum share of names among the parts of a row of authors. */
const ENOUGH_NAMES = 0.7
/**
 * The same for a text without a layout, which often comes from OCR: a part that is no name can be an author with a misread
 * name. One of many names can be wrong.
 */
const ENOUGH_WITHOUT_LAYOUT = 0.95
/** Minimum share of names in a row of authors if texts that consist of common words of the paper do not count as names. */
const ENOUGH_STRICT = 0.5
/** Matches a row of persons who are not authors. */
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
  const names = namesIn(withNextPage(blocks, firstPage, front), front.isCommonWord)
  // Without a layout, a single name further below can be one of several authors, or not an author.
  const below = firstPage || names.length > 1 || isSingleAuthor(blocks[0]?.lines[0] ?? '') ? names : []
  // Another line of the title, or a journal whose name is taken for the title, can look like a name.
  const isInTitle = ({ value }: PrintedName) => letters(title ?? '').includes(letters(value))
  const printed = [() => below, () => namesAbove(front, firstPage, title), () => namesBehindCover(front, title)].reduce<
    readonly PrintedName[]
  >((found, find) => (found.length > 0 ? found : find().filter((name) => !isInTitle(name))), [])
  const fromFile = readNames(metadata?.author ?? '').names
  const page = letters([front.flat, ...front.around.slice(0, 60)].join(' '))
  const isPrinted = ({ value }: PrintedName) => page.includes(letters(value))
  if (fromFile.length > printed.length && fromFile.every(isPrinted)) return quoted(fromFile)
  if (printed.length > 0) return quoted(printed)
  return quoted(namesInCitation(front, title))
}

/** Returns whether a line is one name, or one name before an address. */
const isSingleAuthor = (line: string) => readNames(line.split(BEFORE_ADDRESS)[0]!).share === 1

const letters = (text: string) => normalizeWithMap(text).text

function quoted(names: readonly PrintedName[]): Quoted[] {
  const seen = new Set<string>()
  return names
    .filter(({ value }) => !seen.has(value) && seen.add(value))
    .slice(0, MOST_AUTHORS)
    .map(({ value, printed }) => ({ value, quote: printed }))
}

const BEFORE_ADDRESS =
  /\s(?=(?:Department|Institut|School|Facult|Universit|Cent(?:er|re)|Laborator|Division|College|Hospital)\p{L}*\s)/u

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
  const isJournal = [...front.runningLines, ...rows].some((line) => isHeadOf(line, rows[at - 1] ?? ''))
  return share === 1 && isRepeated && !isJournal ? names : []
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

/** Returns the names of the first block that is a row of names or begins with a name, and of similar blocks after it. */
function namesIn(blocks: readonly Block[], isCommonWord: (word: string) => boolean): PrintedName[] {
  const found: PrintedName[] = []
  let size: number | null = null
  let isRow = false
  for (let index = 0; index < blocks.length; index++) {
    let block = blocks[index]!
    if (OTHER_PEOPLE.test(block.lines[0]!)) continue
    if (isRow && nameBeforeAddress(block.lines[0]!) !== null) break
    if (size !== null && Math.abs(block.size - size) > 0.4 && !(isRow && isOcrRow(block))) {
      if (isRow) break
      continue
    }
    let row = namesInRows(block.lines, isCommonWord)
    // Double spacing: each line of the row is a block.
    for (let next = blocks[index + 1]; row.isOpen && next && isSameRow(block, next); next = blocks[index + 1]) {
      const longer = { ...next, lines: [...block.lines, ...next.lines] }
      const longerRow = namesInRows(longer.lines, isCommonWord)
      if (longerRow.share < ENOUGH_NAMES || nameBeforeAddress(next.lines[0]!)) break
      block = longer
      row = longerRow
      index++
    }
    // The rest of the row is missing.
    if (row.isOpen && isOcrRow(block)) break
    const head = readNames(block.lines[0]!, isCommonWord)
    const isFirst = size === null
    if (row.share >= (!isFirst ? 1 : block.size > 0 ? ENOUGH_NAMES : ENOUGH_WITHOUT_LAYOUT)) {
      found.push(...row.names)
      isRow ||= row.names.length > 1 && block.lines.length < 2 * row.names.length
    } else if (!isRow && head.share === 1) found.push(...head.names)
    else if (isRow) break
    else continue
    size = block.size
  }
  return found
}

/** Returns whether a block is a row of names with characters that only OCR reads. OCR can measure other sizes for its lines. */
const isOcrRow = ({ lines }: Block) =>
  readNames(lines.join(' ')).share < ENOUGH_NAMES && readOcrNames(lines, () => false) !== null

const isSameRow = (a: Block, b: Block) => Math.abs(a.size - b.size) <= 0.4 || isOcrRow(b)

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
  const read = list.share < 1 ? readOcrNames(lines, isCommonWord) : null
  if (read) return read
  if (list.share < 1 && isMisread(rows)) return { ...list, share: 0 }
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
  const name = (INSTITUTION.exec(line) ?? CAPITALS.exec(line))?.groups?.['name'] ?? null
  // 'Ann Bee, Carl Dee Kettle Institute' is a row of names.
  return name !== null && readNames(line.slice(name.length).split(',')[1] ?? '').share === 1 ? null : name
}

const ET_AL = /\bet\.? al\b/i

/**
 * Returns the names in a citation of the paper without 'et al.': 'ACM Reference Format: Ann Bee and Carl Dee. 2024. …' or 'Cite
 * this article: Bee A, Dee C. …'
 */
function namesInCitation(front: FrontMatter, title: string | null): PrintedName[] {
  const CITATION =
    /(?:reference format|how to cite(?: this article)?|cite this (?:article|paper)(?: as)?|to cite this article|citation)\s*:?\s*(?<names>[^:]{5,1500}?)[.,]?\s*\(?(?:19|20)\d\d\b/iu
  for (const text of front.around) {
    const names = CITATION.exec(text.slice(0, 3000))?.groups?.names
    const list = names && !ET_AL.test(names) ? readNames(names) : null
    if (list && list.share >= ENOUGH_NAMES) return list.names
    // 'Bee A, Dee C. On tea. Warm Drinks. 2020;4'
    const at = title === null ? -1 : text.toLowerCase().indexOf(title.toLowerCase())
    const before = at > 3 && at < 1500 ? text.slice(0, at).replace(/\W*\(?(?:19|20)\d\d\)?\W*$/, '') : ''
    const citing = before && !ET_AL.test(before) ? readNames(before) : null
    if (citing && citing.share === 1) return citing.names
  }
  return []
}
