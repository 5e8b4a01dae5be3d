import { headingOfPassage, headingsOf, type PaperPart } from '#server/language/question-part.ts'
import type { PaperPassage, PaperQuote } from './paper-passage.ts'
import { fitOf } from './part-fit.ts'
import { quotableSentences, type Sentence } from './quotable-sentences.ts'

/** Added for a passage below a heading of the part. */
const UNDER_HEADING = 0.3
/** Added for the last sentence of an abstract, in which findings follow the methods. */
const LAST_OF_ABSTRACT = 0.2
/** Weight of the cosine of a sentence. */
const SIMILARITY = 0.3
/** Names of authors are in the first lines of a paper. */
const LONGEST_FRONT = 1500

/**
 * Quotes for a general question one sentence of each of up to `most` papers: the sentence that fits the part best. A paper without
 * a fitting sentence is left out. For the authors, quotes the line with the name of the first author.
 */
export function quotePart(part: PaperPart, passages: readonly PaperPassage[], most: number): PaperQuote[] {
  const quotes = part === 'authors' ? bylines(passages) : sentencesOfPart(part, passages)
  const best = new Map<string, (typeof quotes)[number]>()
  for (const quote of quotes) {
    const { document_id } = passages[quote.passage]!
    const known = best.get(document_id)
    if (!known || quote.value > known.value) best.set(document_id, quote)
  }
  return [...best.values()]
    .sort((a, b) => b.value - a.value || a.passage - b.passage)
    .slice(0, most)
    .map(({ passage, text }) => ({ passage, text }))
}

function sentencesOfPart(part: PaperPart, passages: readonly PaperPassage[]) {
  return quotableSentences(passages).flatMap((sentence) => {
    const passage = passages[sentence.rank]!
    const isUnder = headingsOf(part).some((heading) => heading.test(headingOfPassage(passage)))
    const fit = sentence.isRow ? 0 : fitOf(part, sentence, { beforeHeading: isUnder ? 1 : 0 })
    if (fit === 0) return []
    const similarity = passage.sentences?.find(({ start }) => start === sentence.start)?.similarity ?? 0
    const value =
      fit +
      SIMILARITY * similarity +
      (isUnder ? UNDER_HEADING : 0) +
      (part === 'findings' ? LAST_OF_ABSTRACT * placeInAbstract(sentence, passage) : 0)
    return [{ passage: sentence.rank, text: sentence.text, value }]
  })
}

/** Returns the place of a sentence in its passage, 0..1; 0 outside an abstract. */
const placeInAbstract = ({ end }: Sentence, passage: PaperPassage) =>
  /abstract|summary/i.test(headingOfPassage(passage)) ? (end - passage.page_offset) / passage.content.length : 0

function bylines(passages: readonly PaperPassage[]) {
  return passages.flatMap(({ content, authors }, passage) => {
    const family = authors[0]?.trim().split(/[\s,]+/)
    const lines = content.slice(0, LONGEST_FRONT).split('\n')
    const line = lines.find((one) => family?.every((name) => one.toLowerCase().includes(name.toLowerCase())))
    return line ? [{ passage, text: line.trim(), value: 0 }] : []
  })
}
