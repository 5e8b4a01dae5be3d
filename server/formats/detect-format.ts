import type { ReadFormat } from '#shared/contract/reference-formats.ts'

/** Matches the first line of a record, for each line-based format. */
const LINES: [format: ReadFormat, firstLine: RegExp][] = [
  ['bibtex', /^[ \t]{0,40}@\s{0,5}\w+\s{0,40}[{(]/m],
  ['ris', /^[ \t]{0,40}TY {1,3}-/m],
  ['nbib', /^(?:PMID ?|OWN |STAT|FAU |BTI )- /m],
  ['endnote-tagged', /^%[0AT] /m],
  ['web-of-science', /^(?:FN (?:Clarivate|Thomson|ISI)|VR 1\.0|PT [A-Z]\r?$)/m],
]

const TITLE_COLUMN = /(?:^|[,;\t])\s*"?(?:(?:primary|article|document|study|publication)[ _])?title"?\s*(?:[,;\t]|$)/i

/**
 * Detects the format of a reference file from its content; undefined for other files. If several formats match, the format
 * whose first record is nearest to the start of the file is used, because a value, such as an abstract, may contain the start
 * of a record of another format.
 */
export function detectFormat(text: string): ReadFormat | undefined {
  const start = text.slice(0, 4096).trimStart()
  if (start.startsWith('<')) {
    const found = /<PubmedArticleSet|<PubmedArticle|<PubmedBookArticle|<records[\s>]/.exec(text.slice(0, 65_536))?.[0]
    if (found) return found.startsWith('<Pubmed') ? 'pubmed-xml' : 'endnote-xml'
  }
  if (/^\{\s*"items"|^\[?\s*\{/.test(start) && /"type"\s*:/.test(text)) return 'csl-json'
  if (/^\[\s*\]/.test(start)) return 'csl-json'
  let format: ReadFormat | undefined
  let first = Infinity
  for (const [candidate, firstLine] of LINES) {
    const at = text.search(firstLine)
    if (at === -1 || at >= first) continue
    first = at
    format = candidate
  }
  // A comment may precede the first entry in its line.
  if (!format && /@[a-z]{3,20}[ \t]*\{[^{}"]{0,100}[,}]/i.test(text)) format = 'bibtex'
  // A tagged EndNote record that has no type, author or title.
  if (!format && /^%[A-Z] \S/.test(start)) format = 'endnote-tagged'
  return TITLE_COLUMN.test(start.split(/[\r\n]/, 1)[0]!) && !isBefore(first, text) ? 'csv' : format
}

/**
 * Returns true if only white space precedes the record that begins at the offset `at`. Infinity means that there is no record.
 */
const isBefore = (at: number, text: string) => text.slice(0, at === Infinity ? undefined : at).trim() === ''
