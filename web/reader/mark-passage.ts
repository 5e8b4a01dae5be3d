import type { TextLayer } from 'pdfjs-dist'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { locatePassage, type Spot } from './locate-passage.ts'
import { type Box, marginBars, mergeLines, padLine } from './passage-boxes.ts'

/**
 * The result of the search for a passage on its page. 'page': the passage has no quote, so the whole page is shown. 'no-text':
 * the page has no text layer. 'not-found': the text layer does not contain the passage. 'marked': the passage was found;
 * `lines` are the boxes to highlight, and `bars` the bars in the margin, as fractions of the page.
 */
export type Marking =
  | { kind: 'page' }
  | { kind: 'no-text' }
  | { kind: 'not-found' }
  | {
      kind: 'marked'
      lines: Box[]
      bars: { left: number; top: number; height: number }[]
      /** The highlighted text. */
      text: string
    }

/**
 * Finds a passage in the rendered text layer of a page and returns where to highlight it. `sheet` is the element that the text
 * layer fills.
 */
export function markPassage(sheet: HTMLElement, layer: TextLayer, passage: FoundPassage): Marking {
  if (!passage.quote) return { kind: 'page' }
  const pieces = layer.textContentItemsStr
  if (!pieces.some((piece) => piece.trim())) return { kind: 'no-text' }
  const located = locatePassage(pieces, passage.quote, passage.start)
  if (!located) return { kind: 'not-found' }
  const frame = sheet.getBoundingClientRect()
  const boxes = located.spots.flatMap((spot) => boxesOf(layer, spot, frame))
  if (boxes.length === 0) return { kind: 'not-found' }
  const lines = mergeLines(boxes, frame.width / frame.height).map(padLine)
  return { kind: 'marked', lines, bars: marginBars(lines, startsOf(layer)), text: located.text }
}

function boxesOf(layer: TextLayer, spot: Spot, frame: DOMRect): Box[] {
  const words = layer.textDivs[spot.piece]?.firstChild
  if (!words) return []
  const range = document.createRange()
  range.setStart(words, spot.from)
  range.setEnd(words, spot.to)
  return [...range.getClientRects()].map((rect) => ({
    left: (rect.left - frame.left) / frame.width,
    top: (rect.top - frame.top) / frame.height,
    width: rect.width / frame.width,
    height: rect.height / frame.height,
  }))
}

/** Returns the top left corners of the text items, as fractions of the page. */
const startsOf = (layer: TextLayer): { left: number; top: number }[] =>
  layer.textDivs
    .filter((piece) => piece.textContent?.trim())
    .map(({ style }) => ({ left: Number.parseFloat(style.left) / 100, top: Number.parseFloat(style.top) / 100 }))
    .filter(({ left, top }) => Number.isFinite(left) && Number.isFinite(top))
