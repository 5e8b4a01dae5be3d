import type { PdfMetadata } from '#shared/page-layout.ts'
import type { PlacedParagraph } from './sections.ts'

const LABEL =
  /(?:^|\s)(?:key ?words(?: and phrases)?|index terms|schlüsselwörter|mots[- ]clés|palabras clave|palavras[- ]chave|parole chiave|trefwoorden)\s*(?:[:.—–-]\s*|\s+(?=[\p{Lu}\d]))/iu
const MOST_KEYWORDS = 15

/**
 * The keywords that the authors chose: as printed (a line 'Keywords: …', or what stands under such a heading), else as
 * the PDF's own data lists them. [] when there are none.
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
    // Set one below the other.
    const listed = splitKeywords(printed.filter((line) => line.length < 60 && !LABEL.test(line)).join('; '))
    if (listed.length >= 2) return listed
  }
  return splitKeywords(metadata?.keywords ?? '').length >= 2 ? splitKeywords(metadata!.keywords!) : []
}

/** No list of keywords is longer. */
const LONGEST_LIST = 20_000

/** By the strongest separator that the list uses; what is too long for a keyword is no keyword. */
export function splitKeywords(list: string): string[] {
  // One space between words: looking for a separator costs the square of the blanks around it, and a PDF may hold any number.
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
