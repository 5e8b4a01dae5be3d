import { isEnglishText } from '#server/language/english.ts'
import { withoutSizeWords } from '#server/language/sample-size.ts'
import { typicalWords } from '#server/language/typical-words.ts'
import { partAsked, type PaperPart, placesOfPart } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { idf, indexTexts } from './bm25.ts'
import { blend, type Candidate, type Ranked } from './blend.ts'
import { sectionsOf, type Section } from '#server/language/section-headings.ts'

/** Matches the beginning of a text that follows the abstract under the same heading, such as the keywords. */
const AFTER_ABSTRACT = /^\s*(?:key\s?words?|index terms|ccs concepts)\b/i

/** The chosen chunks, and measures of the words of the question in the paper. */
export interface Choice {
  chosen: Ranked[]
  /** The IDF in the paper of each term of the question. */
  weights: [term: string, idf: number][]
  /** True if one chunk contains all terms of the question that occur in the paper, and there are at least three such terms. */
  isFocused: boolean
}

const FOCUSED_TERMS = 3
/** The number of chunks from which the language of a paper is determined. */
const LANGUAGE_CHUNKS = 20
/** A minimum relevance that excludes no paper, because every relevance is higher. */
const ANY = -1

/**
 * Returns the chunks of a paper that answer a question, best first, at most `limit`. For a general question ('What did the
 * study find?'), which no sentence matches by words or meaning, returns chunks of the usual sections, and `weights` is empty.
 * For every other question, and for a paper without these sections, uses `blend`. A question about harms, costs or the
 * size of the sample is searched together with words that are typical of its answers.
 */
export function choosePassages(
  question: string,
  candidates: readonly Candidate[],
  limit: number,
  leastRelevance: number | null,
): Choice {
  const part = partAsked(question)
  const found = part ? passagesOfPart(part, candidates).slice(0, limit) : []
  if (found.length > 0) return { chosen: found, weights: [], isFocused: false }
  const index = indexTexts(candidates.map(({ content }) => content))
  // `leastRelevance` was measured on English texts: cosines of texts in other languages are lower.
  const isEnglish = isEnglishText(
    candidates
      .slice(0, LANGUAGE_CHUNKS)
      .map(({ content }) => content)
      .join(' '),
  )
  const least = leastRelevance !== null && (part || !isEnglish) ? ANY : leastRelevance
  const terms = [...new Set(searchTerms(question))]
  const known = terms.filter((term) => index.documentFrequency.has(term))
  const searched = (text: string) => blend(text, { candidates, index }, limit, least)
  const chosen = searched(question)
  // The question alone decides whether the paper is relevant. The typical words are added after that.
  const typical = chosen.length > 0 ? typicalWords(question) : null
  return {
    // A size is stated in other words: 'took part' occurs in any text.
    chosen: typical ? searched(`${withoutSizeWords(question)} ${typical}`) : chosen,
    weights: terms.map((term) => [term, idf(index, term)]),
    isFocused:
      known.length >= FOCUSED_TERMS && index.texts.some(({ counts }) => known.every((term) => counts.has(term))),
  }
}

function passagesOfPart(part: PaperPart, candidates: readonly Candidate[]): Ranked[] {
  if (part === 'authors') return candidates.slice(0, 1).map((candidate) => ranked(0, candidate, null))
  const sections = sectionsOf(candidates.map(({ content }) => content))
  const sectionUnder = (place: number, heading: RegExp) =>
    sections[place]!.find((one) => heading.test(one.heading) && hasSentence(candidates[place]!, one))
  const places = placesOfPart(part, {
    count: candidates.length,
    isUnder: (place, heading) => sectionUnder(place, heading) !== undefined,
    isAfterAbstract: (place) => AFTER_ABSTRACT.test(candidates[place]!.content),
  })
  return [...places].map(([place, heading]) => ranked(place, candidates[place]!, sectionUnder(place, heading)!))
}

function ranked(index: number, candidate: Candidate, section: Section | null): Ranked {
  const sentences = candidate.sentences.filter((sentence) => !section || isWithin(candidate, section, sentence.start))
  const best = sentences.toSorted((a, b) => b.similarity - a.similarity)[0] ?? null
  return { index, score: 1, coverage: 0, best }
}

const hasSentence = (candidate: Candidate, section: Section) =>
  candidate.sentences.some(({ start }) => isWithin(candidate, section, start))

const isWithin = ({ pageOffset }: Candidate, { start, end }: Section, place: number) =>
  place - pageOffset >= start && place - pageOffset < end
