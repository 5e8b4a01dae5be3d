import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import type { FirstPage, FirstPageLine } from '#shared/pdf-text/page-layout.ts'
import { readHeading } from '#server/language/section-headings.ts'

/** Consecutive lines in one type size (in points; 0 without a layout). */
export interface Block {
  lines: string[]
  size: number
  /** The baseline of the last line. */
  y: number
}

/** A block with the place of its first line. */
interface PlacedBlock extends Block {
  top: number
  x: number
}

const MOST_LINES = 120
/** Matches the beginning of the text after the authors. */
const END =
  /^(?:abstract|summary|keywords?|key words|index terms|introduction|resumen|résumé|zusammenfassung|riassunto|resumo|samenvatting|аннотация)(?!\p{L})|^(?:초록|요약|국문초록|摘要|要旨|要約|抄録)/iu

const letters = (text: string) => normalizeWithMap(text).text

const isEnd = (text: string) => END.test(text) || Boolean(readHeading(text)?.role)

/**
 * Returns the blocks of lines between the title and the abstract, where the authors are printed. Returns [] if the page does
 * not contain the title.
 */
export function blocksBelow(page: FirstPage, title: string | null): Block[] {
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
  const below = lines.slice(last + 1)
  const endAt = below.slice(0, MOST_LINES).findIndex((line) => isEnd(line.text))
  const end = below[endAt]
  const isBeside = (line: FirstPageLine) => end !== undefined && line.y < bottom && line.y > end.y + end.size / 2
  // OCR reads authors side by side as columns: the right ones after the abstract in the left column.
  const beside = below.slice(endAt + 1).filter((line) => isBeside(line) && line.x > end!.x + page.width / 10)
  const blocks = blocksOf(below.slice(0, endAt < 0 ? MOST_LINES : endAt).filter((line) => line.y <= bottom))
  const all = beside.length === 0 ? blocks : inRows([...blocks, ...blocksOf(beside)])
  // A cover sheet has a citation below the title.
  return all.filter((block) => !letters(block.lines.join(' ')).includes(wanted))
}

function blocksOf(lines: readonly FirstPageLine[]): PlacedBlock[] {
  const blocks: PlacedBlock[] = []
  for (const line of lines) {
    const open = blocks.at(-1)
    const gap = open ? open.y - line.y : 0
    const isBeside = open && Math.abs(gap) < 0.3 * line.size
    const isNext = open && Math.abs(open.size - line.size) < 0.4 && gap > 0 && gap < 1.7 * Math.max(line.size, 9)
    if (open && (isNext || (isBeside && line.text.length < 4))) {
      open.lines.push(line.text)
      if (isNext) open.y = line.y
    } else blocks.push({ lines: [line.text], size: line.size, y: line.y, top: line.y, x: line.x })
  }
  return blocks
}

/** Sorts blocks by rows from the top, and by columns from the left. */
const inRows = (blocks: readonly PlacedBlock[]) =>
  blocks.toSorted((a, b) => (Math.abs(a.top - b.top) < a.size / 2 ? a.x - b.x : b.top - a.top))

/** Returns the paragraphs after the title, where the authors are printed, for a text without a layout. */
export function paragraphsBelow(paragraphs: readonly string[], title: string | null): Block[] {
  const wanted = letters(title ?? '')
  const at = paragraphs.findIndex((text) => wanted !== '' && letters(text).includes(wanted))
  const after = paragraphs.slice(at + 1, at + 13)
  const end = after.findIndex((text) => isEnd(text))
  return after.slice(0, end < 0 ? undefined : end).map((text) => ({ lines: [text], size: 0, y: 0 }))
}
