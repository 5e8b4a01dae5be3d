/**
 * Returns the address of the PDF in the meta tag `citation_pdf_url` of a web page, or null. `base` is the address of the page.
 */
export function pdfNamedBy(html: string, base: string): string | null {
  for (const [tag] of html.matchAll(/<meta\b[^<>]{1,2000}>/gi)) {
    if (!/\bname\s*=\s*["']?citation_pdf_url\b/i.test(tag)) continue
    const found = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)
    const url = URL.parse((found?.[1] ?? found?.[2] ?? '').replaceAll('&amp;', '&'), base)
    if (url) return url.href
  }
  return null
}
