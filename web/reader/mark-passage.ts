import type { TextLayer } from 'pdfjs-dist'
import type { FoundPassage } from '#shared/passages.ts'
import { locatePassage, type Spot } from './locate-passage.ts'
import { type Box, marginBars, mergeLines, padLine } from './passage-boxes.ts'

/** What the reader could do for a passage on its page. */
export type Marking =
  | { kind: 'page' }
  | { kind: 'no-text' }
  | { kind: 'not-found' }
  | {
      kind: 'marked'
      lines: Box[]
      bars: { top: number; height: number }[]
      /** Left edge of the bars, as a share of the page's width. */
      edge: number
      /** The page's own characters under the highlight. */
      text: string
    }

/**
 * Finds a passage in a finished text layer and measures the boxes that cover it, as shares of the page.
 *
 * @param sheet the element that the layer fills
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
  const textEdge = Math.min(leftEdge(layer), ...lines.map((line) => line.left))
  return { kind: 'marked', lines, bars: marginBars(lines), edge: Math.max(0.006, textEdge - 0.018), text: located.text }
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

/**
 * Where the page's text begins, as a share of its width: the left edge that all but the outermost fiftieth of the
 * pieces keep to, so that a line number or a repository's stamp in the margin does not count.
 */
function leftEdge(layer: TextLayer): number {
  const lefts = layer.textDivs
    .map((piece) => Number.parseFloat(piece.style.left) / 100)
    .filter((left) => Number.isFinite(left))
    .sort((a, b) => a - b)
  return lefts[Math.floor(lefts.length / 50)] ?? 0.08
}
