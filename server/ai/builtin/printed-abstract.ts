import { readHeading } from '#server/language/section-headings.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { FRONT_CHARACTERS } from './paper-name.ts'
import { type Paragraph, readParagraphs } from './paragraphs.ts'
import { placeParagraphs, RUN_IN_ABSTRACT } from './sections.ts'

/**
 * Minimum and maximum length of an abstract, in characters. A shorter text is a remark. The end of a longer text was not
 * detected.
 */
const FEWEST = 200
const MOST = 4500

const LAST_PAGE = 2

/**
 * Returns the abstract that a paper prints on its first two pages below or after the word 'Abstract' or 'Summary', or such a
 * word of another language. If there are two abstracts, returns the first. Each paragraph is one line, which begins with its
 * label if the abstract is structured ('Methods: …'). Returns null if there is no abstract, or if its end is not found.
 */
export function printedAbstract(text: string): string | null {
  const paragraphs = readParagraphs(splitPages(text.slice(0, FRONT_CHARACTERS)))
  const [first, second] = paragraphs.flatMap((paragraph, at) => (beginsAbstract(paragraph) ? [at] : []))
  if (first === undefined) return null
  const parts = placeParagraphs(paragraphs.slice(first, second)).filter(({ role }) => role === 'abstract')
  const lines = parts.map((part, at) =>
    part.label !== null && part.label !== parts[at - 1]?.label ? `${part.label}: ${part.text}` : part.text,
  )
  const abstract = lines.join('\n')
  const isWhole = /[.!?。！？]["”’)\]]*$/u.test(abstract)
  return isWhole && abstract.length >= FEWEST && abstract.length <= MOST ? abstract : null
}

const beginsAbstract = ({ text, page }: Paragraph) =>
  page <= LAST_PAGE && (RUN_IN_ABSTRACT.test(text) || readHeading(text)?.role === 'abstract' || /^summary$/i.test(text))
