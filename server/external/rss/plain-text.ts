import sanitizeHtml from 'sanitize-html'

const BLOCK = /<(?:br|hr|\/p|\/div|\/li|\/h[1-6]|\/tr|\/td|\/section)\b[^>]*>/gi

/** HTML as plain text: no tags, no scripts, entities resolved, one space between words, at most `limit` characters. */
export function plainText(html: string, limit: number): string {
  // No text that is shown needs more markup than this; what is longer is not worth the work.
  const bounded = html.slice(0, limit * 8)
  const text = sanitizeHtml(bounded.replace(BLOCK, ' $&'), { allowedTags: [], allowedAttributes: {} })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  const clean = text
    // Control characters (NUL above all) and halves of pairs can be stored nowhere.
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
