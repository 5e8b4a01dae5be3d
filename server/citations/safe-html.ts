import sanitizeHtml from 'sanitize-html'

/**
 * The elements and attributes that citeproc uses in its HTML; all others are removed. citeproc escapes the values of styles and
 * papers, and these rules are a second protection.
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

/** Removes all elements from the HTML of a citation except elements for fonts and layout, and links to http(s) addresses. */
export const safeHtml = (html: string): string => sanitizeHtml(html, RULES)
