import sanitizeHtml from 'sanitize-html'

/** The elements of citeproc's HTML. Values of styles and papers are text in it; this is the second check. */
const RULES: sanitizeHtml.IOptions = {
  allowedTags: ['div', 'span', 'i', 'em', 'b', 'sup', 'sub', 'a'],
  allowedAttributes: { a: ['href'], span: ['style'] },
  allowedClasses: { div: ['csl-*'] },
  allowedSchemes: ['http', 'https'],
  allowedStyles: {
    span: {
      'font-style': [/^normal$/],
      'font-variant': [/^(?:small-caps|normal)$/],
      'font-weight': [/^normal$/],
      'text-decoration': [/^(?:none|underline)$/],
    },
  },
}

/** Returns the HTML of a citation with elements for fonts and layout, and links to http(s) addresses, only. */
export const safeHtml = (html: string): string => sanitizeHtml(html, RULES)
