import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText } from '#server/extraction/extract-text.ts'
import { ocrPageItems } from '#server/extraction/ocr-page-items.ts'
import { ocrLanguages } from '#server/extraction/index.ts'
import { fillLanguageFolder } from '#server/extraction/language-folder.ts'
import type { OcrTask } from '#server/extraction/ocr.worker.ts'
import { READING_ERRORS } from '#server/extraction/pool-errors.ts'
import { createWorkerPool, stopWorkerPools } from '#server/workers/worker-pool.ts'
import { layoutDocument, type PageItems } from '#shared/pdf-text/page-layout.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { characterErrorRate } from './character-errors.ts'
import { debianTesseract, hasTesseract } from './debian-tesseract.ts'
import { fixture, samplePaper } from './papers.ts'
import { type BenchRow, median } from './report.ts'

const RUNS = 5
const SCALE = 200 / 72

interface ScannedPage {
  scan: string
  page: number
  /** The correct text of the scan: the text layer of the original paper. */
  truth: string
  /** Path of the page image that both OCR engines recognize. */
  image: string
  size: { width: number; height: number }
}

/**
 * Measures seconds per page and the character error rate of the built-in OCR and, alternately, of Debian's tesseract on one
 * core, with the same page images. The same layout rules process the words of both engines, so that the results differ only by
 * the engine.
 */
export async function run(): Promise<BenchRow[]> {
  if (!hasTesseract()) return []
  const folder = await mkdtemp(join(tmpdir(), 'lectern-ocr-'))
  const script = new URL('../../server/extraction/ocr.worker.ts', import.meta.url)
  const pool = createWorkerPool({
    script,
    size: 1,
    memoryMb: 1024,
    queueLimit: 10,
    idleMs: 600_000,
    errors: READING_ERRORS,
  })
  const found = ocrLanguages()
  await fillLanguageFolder(folder, found)
  const ofEngine = { languages: found.map(({ code }) => code), languageFolder: folder }
  const read = (task: Omit<OcrTask, keyof typeof ofEngine>) =>
    pool.run({ ...task, ...ofEngine }, { timeoutMs: 300_000 })
  const draw = (path: string, page: number) => read({ path, page, output: 'png' }) as Promise<Uint8Array>
  const pages = await scannedPages(folder, draw)
  const seconds = { ours: [] as number[], theirs: [] as number[] }
  const errors = { ours: [] as number[], theirs: [] as number[] }
  const text = (items: PageItems) => layoutDocument([items]).texts[0]!
  // The engine starts once in the life of a server, so the first page is not measured.
  await read({ path: pages[0]!.scan, page: pages[0]!.page, output: 'items' })
  for (let turn = 0; turn < RUNS; turn++) {
    for (const { scan, page, truth, image, size } of pages) {
      const start = performance.now()
      const ours = (await read({ path: scan, page, output: 'items' })) as PageItems
      const between = performance.now()
      const theirs = debianTesseract(image)
      seconds.ours.push((between - start) / 1000)
      seconds.theirs.push((performance.now() - between) / 1000)
      if (turn > 0) continue
      errors.ours.push(characterErrorRate(truth, text(ours)))
      errors.theirs.push(characterErrorRate(truth, text(ocrPageItems(theirs, size, SCALE))))
    }
  }
  await Promise.all([stopWorkerPools(), rm(folder, { recursive: true, force: true })])

  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const time = { ours: median(seconds.ours), theirs: median(seconds.theirs) }
  const wrong = { ours: mean(errors.ours), theirs: mean(errors.theirs) }
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return [
    {
      what: `OCR, ${pages.length} pages at 200 dpi, one core`,
      measured: `${time.ours.toFixed(2)} s/page`,
      peer: `Debian's tesseract: ${time.theirs.toFixed(2)} s/page`,
      ratio: `${(time.ours / time.theirs).toFixed(2)} ×`,
      aim: '≤ 1.5 ×',
      note: 'ours draws the page too',
    },
    {
      what: 'OCR, character error rate of the same pages',
      measured: percent(wrong.ours),
      peer: `Debian's tesseract: ${percent(wrong.theirs)}`,
      ratio: `${(wrong.ours / wrong.theirs).toFixed(2)} ×`,
      aim: '≤ 1 ×',
      note: 'running heads of single pages count as errors of both',
    },
  ]
}

async function scannedPages(
  folder: string,
  draw: (path: string, page: number) => Promise<Uint8Array>,
): Promise<ScannedPage[]> {
  const scans: [string | null, string | null, number[]][] = [
    [fixture('paper-scan.pdf'), fixture('paper.pdf'), [1, 2]],
    [samplePaper('scan-derived-keim-3p.pdf'), samplePaper('cc-acm-2024-keim.pdf'), [1, 2, 3]],
  ]
  const found: ScannedPage[] = []
  for (const [scan, printed, numbers] of scans) {
    if (!scan || !printed) continue
    const { text, firstPage } = await extractText(printed)
    const truths = splitPages(text)
    for (const page of numbers) {
      const image = join(folder, `${found.length}.png`)
      await writeFile(image, await draw(scan, page))
      const { width, height } = firstPage
      found.push({ scan, page, truth: truths[page - 1]!.text, image, size: { width, height } })
    }
  }
  return found
}
