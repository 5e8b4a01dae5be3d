import { readFileSync } from 'node:fs'
import { pdfOf } from './pdf-file.ts'

const SCAN = new URL('../fixtures/paper-scan.pdf', import.meta.url)
const IMAGE =
  /\/Width (\d+)\n\/Height (\d+)\n\/ColorSpace \/DeviceRGB\n\/Filter \/DCTDecode\n\/Length (\d+)\n>>\nstream\n/g

/**
 * Returns a PDF with the given pages of `paper-scan.pdf`, numbered from 1. OCR needs several seconds of processor time for
 * each full page; page 4 has little text.
 */
export function scanPdf(pages: readonly number[]): Uint8Array<ArrayBuffer> {
  const scan = readFileSync(SCAN, 'latin1')
  const images = [...scan.matchAll(IMAGE)].map((found) => {
    const [dictionary, width, height, length] = found
    const start = found.index + dictionary.length
    return { width, height, bytes: scan.slice(start, start + Number(length)) }
  })
  const kids = pages.map((_, index) => `${3 + 3 * index} 0 R`).join(' ')
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`]
  for (const number of pages) {
    const { width, height, bytes } = images[number - 1]!
    const first = objects.length + 1
    const content = 'q 595 0 0 842 0 0 cm /Im Do Q'
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + 1} 0 R /Resources << /XObject << /Im ${first + 2} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`,
    )
  }
  return pdfOf(objects)
}
