import { pdfOf } from './pdf-file.ts'

/**
 * Returns a PDF of one page with these lines (Latin-1) in Helvetica of 24 points, which OCR reads in a short time.
 * `hiddenLines` are in the text layer but not visible. `damagedPages`: the number of further pages that the page tree lists
 * although the file does not contain them.
 */
export function onePagePdf(
  lines: readonly string[],
  { hiddenLines = [], damagedPages = 0 }: { hiddenLines?: readonly string[]; damagedPages?: number } = {},
): Uint8Array<ArrayBuffer> {
  const damaged = Array.from({ length: damagedPages }, (_, at) => ` ${at + 9} 0 R`).join('')
  const draw = (some: readonly string[]) => some.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ')
  const content = `BT /F1 24 Tf 32 TL 50 740 Td ${draw(lines)} 3 Tr ${draw(hiddenLines)} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R${damaged}] /Count ${1 + damagedPages} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  return pdfOf(objects)
}
