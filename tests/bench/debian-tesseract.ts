import { spawnSync } from 'node:child_process'
import type { OcrBlock } from '#server/extraction/ocr-page-items.ts'

/** Returns whether tesseract is installed on the machine. */
export const hasTesseract = () => spawnSync('tesseract', ['--version']).error === undefined

/**
 * Recognizes the text of the page image at `path` with the installed tesseract on one core. Returns the words in the input
 * format of Lectern's layout rules.
 */
export function debianTesseract(path: string): OcrBlock[] {
  const args = [path, '-', '-l', 'eng', '--psm', '3', '--dpi', '200', 'tsv']
  const { stdout, status } = spawnSync('tesseract', args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], OMP_THREAD_LIMIT: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`tesseract could not read ${path}.`)
  const blocks = new Map<string, OcrBlock['paragraphs']>()
  const lines = new Map<string, OcrBlock['paragraphs'][number]['lines'][number]>()
  const paragraphs = new Map<string, OcrBlock['paragraphs'][number]>()
  for (const row of stdout.split('\n').slice(1)) {
    const [level, , block, paragraph, line, , left, top, width, height, confidence, text] = row.split('\t')
    const box = {
      x0: Number(left),
      y0: Number(top),
      x1: Number(left) + Number(width),
      y1: Number(top) + Number(height),
    }
    const inParagraph = `${block}/${paragraph}`
    const inLine = `${inParagraph}/${line}`
    if (level === '2') blocks.set(block!, [])
    if (level === '3') {
      const made = { lines: [] }
      paragraphs.set(inParagraph, made)
      blocks.get(block!)!.push(made)
    }
    if (level === '4') {
      const made = { baseline: { x0: box.x0, y0: box.y1, x1: box.x1, y1: box.y1 }, bbox: box, words: [] }
      lines.set(inLine, made)
      paragraphs.get(inParagraph)!.lines.push(made)
    }
    if (level === '5' && text?.trim())
      lines.get(inLine)!.words.push({ text, confidence: Number(confidence), bbox: box })
  }
  return [...blocks.values()].map((paragraphs) => ({ paragraphs }))
}
