import { headingOfPassage, headingsOf, type PaperPart } from '#server/language/question-part.ts'
import { bestByPaper, type PaperPassage, type PaperQuote } from './paper-passage.ts'
import { fitOf } from './part-fit.ts'
import { quotableSentences, quoteOf, type Sentence } from './quotable-sentences.ts'

/**
 * Prefers sentences below a fitting heading: added to the value of a sentence below a heading of the part that the question
 * asks for, such as 'Limitations'.
 */
const UNDER_HEADING = 0.3
/**
 * Prefers sentences near the end of an abstract for a question about findings, because an abstract ends with its conclusions.
 * Weight of the position of a sentence in the abstract (0 at its start, 1 at its end).
 */
const END_OF_ABSTRACT = 0.2
/** Weight of a sentence's cosine to the question in the value of the sentence. */
const SIMILARITY = 0.3
/** The authors are named within this many characters from the start of a paper. */
const LONGEST_FRONT = 1500

/**
 * Answers a question about a part of the papers, such as their findings, methods or authors. Quotes one sentence of each of up
 * to `most` papers, best first: the sentence that fits the part best. Leaves out papers without a fitting sentence, and
 * passages with a score below `least`. For the part 'authors', quotes the line with the name of the first author.
 */
export function quotePart(
  part: PaperPart,
  passages: readonly PaperPassage[],
  { most, least }: { most: number; least: number },
): PaperQuote[] {
  const all = part === 'authors' ? bylines(passages) : sentencesOfPart(part, passages)
  const quotes = all.filter(({ passage }) => passages[passage]!.score >= least)
  return bestByPaper(quotes, passages, most).map(({ passage, text }) => ({ passage, text }))
}

function sentencesOfPart(part: PaperPart, passages: readonly PaperPassage[]) {
  return quotableSentences(passages).flatMap((sentence) => {
    const passage = passages[sentence.rank]!
    const isUnder = headingsOf(part).some((heading) => heading.test(headingOfPassage(passage)))
    const fit = sentence.isRow ? 0 : fitOf(part, sentence, { isUnderHeading: isUnder })
    if (fit === 0) return []
    const similarity = passage.sentences?.find(({ start }) => start === sentence.start)?.similarity ?? 0
    const value =
      fit +
      SIMILARITY * similarity +
      (isUnder ? UNDER_HEADING : 0) +
      (part === 'findings' ? END_OF_ABSTRACT * shareOfAbstract(sentence, passage) : 0)
    return [{ passage: sentence.rank, text: quoteOf(sentence), value }]
  })
}

/**
 * Returns the position of the end of a sentence in its abstract, 0 (start) to 1 (end); 0 for a sentence outside an abstract.
 */
const shareOfAbstract = ({ end }: Sentence, passage: PaperPassage) =>
  /abstract|summary/i.test(headingOfPassage(passage)) ? (end - passage.page_offset) / passage.content.length : 0

function bylines(passages: readonly PaperPassage[]) {
  return passages.flatMap(({ content, authors, page_number, page_offset }, passage) => {
    // A later passage can cite the author.
    if (page_number > 1 || page_offset >= LONGEST_FRONT) return []
    const names = authors[0]?.split(/[\s,]+/).filter(Boolean) ?? []
    const lines = content.slice(0, LONGEST_FRONT).split('\n')
    const line =
      names.length > 0 && lines.find((one) => names.every((name) => one.toLowerCase().includes(name.toLowerCase())))
    return line ? [{ passage, text: line.trim(), value: 0 }] : []
  })
}
