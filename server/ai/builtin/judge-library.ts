import type { AlignedWord } from './align-words.ts'
import { type ApartMeasures, FAR, type FarMeasures, LIBRARY_APART, LIBRARY_READ } from './answerable-weights.ts'
import { limited } from './cross-encoder/read-together.ts'
import { scoreOf } from './doubt.ts'

const WORD = String.raw`(?<!\p{L})\p{Ll}{0,2}\p{Lu}[\p{L}\p{M}\p{N}]*`
const NAME = `${WORD}(?:[ -]${WORD})*(?:['’]s)?`
/** Matches the text between two names that are joined: 'or', 'than in', 'and that of'. */
const JOIN = String.raw`(?:,? (?:and|but|compared? (?:to|with)|or|than|versus|vs\.?|(?<=[Cc]o(?:mpare|ntrast) .*)with)|,)(?: (?:at|for|from|in|of|on|ones?|results?|stud(?:ies|y)|that|the|those|trials?|which))* `
/**
 * Matches joined names. The first word of a question, which has a capital letter in any case, is a name only if it is joined.
 */
const JOINED = new RegExp(`(?:^${WORD}(?=${JOIN})|(?<!^)${NAME})(?:${JOIN}${NAME})+`, 'gu')
/** Matches the name of a place after a preposition: 'in Kent'. */
const PLACE = /(?<=\b(at|from|in) )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*/gu

/**
 * Returns texts with the names that a question sets side by side: 'Kent or in Essex', and 'Kent' and 'Essex' for 'the course in
 * Kent or the walks in Essex'.
 */
function namesSideBySide(question: string): string[] {
  const places = Map.groupBy(question.matchAll(PLACE), ([, preposition]) => preposition)
  const several = [...places.values()].filter((names) => names.length > 1)
  return [...question.matchAll(JOINED), ...several.flat()].map(([text]) => text)
}

/**
 * Returns the words of a question to several papers that one sentence must cover to answer it. If the question sets two or more
 * things side by side that the papers contain ('in Kent or in Essex'), their names are omitted, because each can be in a
 * sentence of another paper. `missing` are the words that no paper contains.
 */
export function withoutSeveralNames(
  question: string,
  missing: readonly string[],
  words: readonly AlignedWord[],
): readonly AlignedWord[] {
  const names = new Set(namesSideBySide(question).flatMap((text) => text.match(new RegExp(WORD, 'gu')) ?? []))
  const others = words.filter(({ word, term }) => term === null || !names.has(word) || missing.includes(word))
  return words.length - others.length >= 2 && others.some(({ term }) => term !== null) ? others : words
}

/**
 * Returns true if no paper answers a question to several papers. `score`: the highest score of a sentence by the cross-encoder;
 * null if it did not read the passages.
 */
export const isUnanswered = (
  { apart, far }: { apart: ApartMeasures; far: FarMeasures },
  score: number | null,
): boolean =>
  score === null
    ? scoreOf(LIBRARY_APART, apart) > 0 || scoreOf(FAR.library, far) > 0
    : scoreOf(LIBRARY_READ, { ...apart, ...far, score: limited(score) }) > 0
