import sanitizeHtml from 'sanitize-html'

/**
 * The elements and attributes of citeproc's HTML. citeproc escapes the values of styles and papers; these rules are the second
 * check.
 */
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

/** Returns the HTML of a citation with only elements for fonts and layout and links to http(s) addresses. */
export const safeHtml = (html: string): string => sanitizeHtml(html, RULES)
