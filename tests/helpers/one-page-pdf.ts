import { pdfOf } from './pdf-file.ts'

/**
 * A PDF of one page with these lines (plain ASCII) in 24 point Helvetica: small enough to be read by OCR in a moment.
 * `damagedPages` more pages are listed that the file does not contain.
 */
export function onePagePdf(lines: readonly string[], { damagedPages = 0 } = {}): Uint8Array<ArrayBuffer> {
  const damaged = Array.from({ length: damagedPages }, (_, at) => ` ${at + 9} 0 R`).join('')
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ')
  const content = `BT /F1 24 Tf 32 TL 50 740 Td ${shown} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R${damaged}] /Count ${1 + damagedPages} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  return pdfOf(objects)
}
