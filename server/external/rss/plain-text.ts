import sanitizeHtml from 'sanitize-html'

const BLOCK = /<(?:br|hr|\/p|\/div|\/li|\/h[1-6]|\/tr|\/td|\/section)\b[^>]*>/gi

/** Converts HTML to plain text: no tags or scripts, decoded entities, single spaces, at most `limit` characters. */
export function plainText(html: string, limit: number): string {
  // Bounds the work: text of the maximum length rarely has more markup than this.
  const bounded = html.slice(0, limit * 8)
  const text = sanitizeHtml(bounded.replace(BLOCK, ' $&'), { allowedTags: [], allowedAttributes: {} })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  const clean = text
    // PostgreSQL cannot store NUL or unpaired surrogates.
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .toWellFormed()
    .trim()
  return clean.length > limit
    ? `${clean
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`
    : clean
}
