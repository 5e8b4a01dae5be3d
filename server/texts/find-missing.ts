import { isConcrete } from '#server/language/concrete-words.ts'
import { isEnglishQuestion, isEnglishText } from '#server/language/english.ts'
import { rarityOf } from '#server/language/rare-words.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { numbersWithout } from './unsupported-numbers.ts'
import { QUANTITIES, UNITS } from './quantities.ts'

/**
 * Returns the names, numbers, rare words, concrete things, units and quantities of a question that a text does not contain, as
 * the question writes them, at most three: 'GPU' of 'Which GPU was used?'. The text cannot answer a question about them. Other
 * words of the question do not count as missing, because the text can contain synonyms of them. Rules for English words apply
 * to English texts only.
 *
 * `part` is the part of the question whose words are sought, by default the whole question. `isFocused` means that one passage
 * contains all other words of the question (at least three), so the question uses the words of the text. Then every uncommon
 * word that the text does not contain also counts as missing.
 */
export function findMissing(question: string, text: string, { isFocused = false, part = question } = {}): string[] {
  const isEnglish = isEnglishQuestion(question) && (text === '' || isEnglishText(text.slice(0, 20_000)))
  const terms = [
    ...namesIn(part, { isEnglish, isWhole: part === question }),
    ...(isEnglish ? thingsIn(part) : []),
    ...(isEnglish && isFocused ? uncommonWords(part) : []),
  ]
  const missing = terms.filter((word) => !(synonymsOf(word)?.test(text) ?? false) && !mentions(text, word))
  return [...new Set(missing)].slice(0, MOST_NAMED)
}

/** Maximum number of returned words. More words in an answer would read like a list. */
const MOST_NAMED = 3

const synonymsOf = (word: string) => [...UNITS, ...QUANTITIES].find(({ asks }) => asks.test(word))?.means

const WORD = /[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu
/** Matches capitalized words that are not names. */
const NOT_NAMES =
  /^(?:I|RQ\p{N}*|Mr|Mrs|Dr|January|February|March|April|May|June|July|August|September|October|November|December)$/u

/**
 * Returns the names (words that are capitalized within a sentence, or have several capitals or a digit), the numbers of more
 * than one character, and in an English question the rare words. A capital at the start of a whole question marks no name.
 */
function namesIn(asked: string, { isEnglish, isWhole }: { isEnglish: boolean; isWhole: boolean }): string[] {
  return [...asked.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const before = asked.slice(0, index)
    const isFirst = (isWhole && /^[\s"'“‘(¿]*$/u.test(before)) || /[.!?:]\s*["'“‘(]*$/u.test(before)
    const isNumber = /^[\p{N}.,]+$/u.test(word)
    const isCoded = /\p{Lu}.*\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u.test(word)
    const isName = isEnglish && !isFirst && /^\p{Lu}/u.test(word) && !NOT_NAMES.test(word)
    const isWanted = isNumber ? word.length > 1 : isCoded || isName || (isEnglish && isRare(word))
    return isWanted ? [word] : []
  })
}

const ENDING = /(?:es|s|ed|ing|ly)$/

/**
 * Returns whether a word and its stem are rare. The rarity depends on the number of word pieces, and an inflected word has more
 * of them than its stem, so the word alone could seem rarer than it is.
 */
const isRare = (word: string) =>
  /^\p{Ll}{5,}$/u.test(word) && [word, word.replace(ENDING, '')].every((form) => rarityOf(form) === 'rare')

/** Matches words for shares and means, which a text expresses by numbers. */
const MEASURE = /^(?:percentages?|proportions?|fractions?|averages?|durations?|quantit(?:y|ies)|frequenc(?:y|ies))$/i

const uncommonWords = (question: string): string[] =>
  (question.match(WORD) ?? []).filter(
    (word) => searchTerms(word).length === 1 && !MEASURE.test(word) && rarityOf(word) !== 'common',
  )

/**
 * Returns the units, quantities and concrete words of a question, and the counted or measured thing after 'how many' or 'how
 * much': 'volts' in 'how many volts'.
 */
function thingsIn(question: string): string[] {
  const listed = (question.match(WORD) ?? []).filter((word) => synonymsOf(word) || isConcrete(word))
  const much = /\bhow much (\p{L}+)/iu.exec(question)?.[1]
  const many = /\bhow many (?:\p{L}+ ){0,2}?(\p{L}+s)\b/iu.exec(question)?.[1]
  return [
    ...listed,
    ...(much && !NOT_MEASURED.test(much) ? [much] : []),
    ...(many && !NOT_COUNTED.test(many) ? [many] : []),
  ]
}

/** Matches words after 'how much' that are not the measured thing, such as 'did'. */
const NOT_MEASURED =
  /^(?:did|does|do|is|are|was|were|of|more|less|longer|shorter|faster|slower|better|worse|higher|lower|greater|larger|smaller|older|younger|time|can|could|should|would|will|the|a|an|has|have|had|money|it|they|effort|work|data|information|space|room|influence|difference|faster|earlier|later|variation|improvement)$/i
/** Matches words after 'how many' for which papers use many synonyms, such as 'participants'. */
const NOT_COUNTED =
  /^(?:persons?|peoples?|participants|subjects|individuals|respondents|learners|students|pupils|patients|children|kids|adults|users|women|members|experts|authors|researchers|scientists|volunteers|workers|teachers|customers|clients|readers|items|objects|things|elements|units|cases|examples|instances|papers|articles|studies|sources|documents|texts|questions|answers|tests|trials|experiments|groups|kinds|types|sorts|classes|categories|ways|times|steps|stages|parts|sections|levels|rounds|runs|seconds|minutes|hours|days|weeks|months|years|sites|places|locations|points|methods|tools|systems|measurements|records|entries|his|hers|was|is|has|does|this|others|less|errors|mistakes|problems|words|files|lines|rows|measures|factors|variables|results|topics|subjects|tasks|sessions|meetings|events|lessons)$/i

/**
 * Returns whether a text contains a word in any form: its stem at the beginning of a word, in British or American spelling. A
 * text also contains an acronym if it contains the words that the acronym abbreviates.
 */
function mentions(text: string, word: string): boolean {
  if (/^[\p{N}.,]+$/u.test(word)) return numbersWithout(word, text).length === 0
  if (/^\p{Lu}{2,5}$/u.test(word) && abbreviated(word).test(text)) return true
  const stem = (searchTerms(word)[0] ?? word.toLowerCase()).replace(/(?<=.{4})[iy]$/, '')
  // 'AI' is not in 'air'.
  const end = /\p{Lu}.*\p{Lu}/u.test(word) && word.length < 4 ? String.raw`s?(?!\p{L})` : ''
  return new RegExp(String.raw`(?<![\p{L}])${spellings(stem)}${end}`, 'iu').test(withoutAccents(text))
}

const withoutAccents = (text: string) =>
  /[^\0-\x7f]/.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text

const abbreviated = (acronym: string) =>
  new RegExp(String.raw`(?<!\p{L})${[...acronym].map((letter) => `${letter}\\p{L}*`).join(String.raw`[\s-]+`)}`, 'iu')

const spellings = (stem: string) =>
  stem
    .replaceAll(/ae|oe/g, '[ao]?e')
    .replaceAll('our', 'ou?r')
    .replaceAll(/is(?=e|at|$)|iz(?=e|at|$)/g, 'i[sz]')
