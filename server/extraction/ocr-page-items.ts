import type { PageItems, TextItem } from '#shared/pdf-text/page-layout.ts'

/**
 * A block of text in tesseract's result, with the fields that the layout rules use. Boxes are in pixels from the top left
 * corner of the page.
 */
export interface OcrBlock {
  paragraphs: { lines: OcrLine[] }[]
}

interface OcrLine {
  baseline: { x0: number; y0: number; x1: number; y1: number }
  rowAttributes?: { rowHeight: number }
  bbox: Box
  words: { text: string; confidence: number; bbox: Box }[]
}

interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Minimum confidence of a line, 0 to 100. Lines with a lower confidence are usually parts of images and specks. */
const MIN_CONFIDENCE = 30

/**
 * Returns the recognized words of one page as text items, in tesseract's reading order, so that the layout rules of
 * text layers apply. Each block counts as a separate font, which separates headings from the text after them. `scale`
 * is pixels per point.
 */
export function ocrPageItems(
  blocks: readonly OcrBlock[],
  size: { width: number; height: number },
  scale: number,
): PageItems {
  const usual = usualHeight(blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines)))
  const rows = blocks.flatMap(({ paragraphs }, index) =>
    paragraphs.flatMap(({ lines }) => {
      const height = step(usualHeight(lines), usual)
      return lines.map((line) => ({ line, height, font: `block ${index}` }))
    }),
  )
  const items: TextItem[] = []
  for (const { line, height, font } of rows) {
    if (meanConfidence(line) < MIN_CONFIDENCE) continue
    const fontSize = height / scale
    const y = size.height - (line.baseline.y0 + line.baseline.y1) / 2 / scale
    let end = -Infinity
    for (const { text, bbox } of line.words) {
      // Boxes of neighbors sometimes overlap; positions within a line must not decrease.
      const start = Math.max(bbox.x0, end)
      end = Math.max(bbox.x1, start)
      const transform = [fontSize, 0, 0, fontSize, start / scale, y]
      items.push({ str: `${text} `, transform, width: (end - start) / scale, fontName: font })
    }
  }
  return { items, view: [0, 0, size.width, size.height], rotate: 0 }
}

/**
 * Rounds the row height of a paragraph, because measured heights vary with the letters in a row. A height near `usual`, the
 * usual height on the page, becomes `usual`. Other heights become `usual` times a power of 1.25.
 */
function step(height: number, usual: number): number {
  if (Math.abs(height - usual) <= 0.2 * usual) return usual
  return usual * 1.25 ** Math.round(Math.log(height / usual) / Math.log(1.25))
}

function meanConfidence({ words }: OcrLine): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0)
  return words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / Math.max(1, letters)
}

const rowHeight = (line: OcrLine) => Math.max(1, line.rowAttributes?.rowHeight || line.bbox.y1 - line.bbox.y0)

/** Returns the median row height of the lines. Each line counts once for each of its words. */
function usualHeight(lines: readonly OcrLine[]): number {
  const heights = lines.flatMap((line) => line.words.map(() => rowHeight(line))).sort((a, b) => a - b)
  return heights[Math.floor(heights.length / 2)] ?? 1
}
