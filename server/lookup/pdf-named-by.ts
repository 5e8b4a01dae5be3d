/** Returns the PDF address that a web page names in `citation_pdf_url`, or null. */
export function pdfNamedBy(html: string, base: string): string | null {
  for (const [tag] of html.matchAll(/<meta\b[^<>]{1,2000}>/gi)) {
    if (!/\bname\s*=\s*["']?citation_pdf_url\b/i.test(tag)) continue
    const found = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)
    const url = URL.parse((found?.[1] ?? found?.[2] ?? '').replaceAll('&amp;', '&'), base)
    if (url) return url.href
  }
  return null
}
