import type { PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import type { PlacedParagraph } from './sections.ts'

const LABEL =
  /(?:^|\s)(?:key ?words(?: and phrases)?|index terms|schlüsselwörter|mots[- ]clés|palabras clave|palavras[- ]chave|parole chiave|trefwoorden)\s*(?:[:.—–-]\s*|\s+(?=[\p{Lu}\d]))/iu
const MOST_KEYWORDS = 15

/**
 * Returns the authors' keywords: as printed (a line 'Keywords: …', or the text under such a heading), else from the
 * PDF's metadata. Returns [] if neither has two keywords.
 */
export function findAuthorKeywords(paragraphs: readonly PlacedParagraph[], metadata: PdfMetadata | null): string[] {
  const early = paragraphs.slice(0, 400)
  const under = early.filter((one) => one.role === 'keywords')
  const runIn =
    under.length > 0 ? under : early.filter((one) => one.role === 'front' && LABEL.test(one.text.slice(0, 600)))
  const printed = runIn.slice(0, 12).map((one) => one.text.slice(0, 1500))
  const first = printed[0]
  if (first !== undefined) {
    const found = LABEL.exec(first)
    const words = splitKeywords(found ? first.slice(found.index + found[0].length) : first)
    if (words.length >= 2) return words
    const column = found ? keywordColumn(early, runIn[0]!, first.slice(found.index + found[0].length)) : []
    if (column.length >= 2) return column
    // One per line.
    const listed = splitKeywords(printed.filter((line) => line.length < LONGEST_LINE && !LABEL.test(line)).join('; '))
    if (listed.length >= 2) return listed
  }
  return splitKeywords(metadata?.keywords ?? '').length >= 2 ? splitKeywords(metadata!.keywords!) : []
}

/** Returns the keywords of a narrow column: the rest of the label's line, and the lines below that begin in lower case. */
function keywordColumn(paragraphs: readonly PlacedParagraph[], labelled: PlacedParagraph, rest: string): string[] {
  const below = paragraphs.slice(paragraphs.indexOf(labelled) + 1).map(({ text }) => text.trim())
  const end = below.findIndex((line) => line.length >= LONGEST_LINE || !/^\p{Ll}/u.test(line) || /[.:/@]/.test(line))
  return splitKeywords([rest, ...below.slice(0, Math.max(0, end))].join('; '))
}

/** Maximum length of a line of keywords, in characters. A longer line is running text. */
const LONGEST_LINE = 60

/** Number of characters of a list of keywords that are read. No list is longer. */
const LONGEST_LIST = 20_000

/**
 * Splits a list of keywords at its strongest separator (semicolon, bullet or bar; middle dot; comma; dash). Drops repetitions
 * and entries that are too long for a keyword. Returns [] for a list without a separator.
 */
export function splitKeywords(list: string): string[] {
  // Collapses white space: the search for a separator is quadratic in it, and a PDF can contain any amount.
  const text = list.slice(0, LONGEST_LIST).replace(/\s+/g, ' ')
  const separator = [/\s*[;•|]\s*/, /\s*·\s*/, /\s*,\s*/, /\s+[–—-]\s+/].find((one) => text.split(one).length >= 2)
  const seen = new Set<string>()
  return (separator ? text.split(separator) : [])
    .map((word) =>
      word
        .replace(/^(?:and|und|et|y)\s+(?=\p{L})/iu, '')
        .replace(/[\s.:]+$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((word) => word.length > 1 && word.length <= 60 && word.split(' ').length <= 6 && /\p{L}/u.test(word))
    .filter((word) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()))
    .slice(0, MOST_KEYWORDS)
}
