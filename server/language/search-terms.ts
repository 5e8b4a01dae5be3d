import stem from 'wink-porter2-stemmer'
import { inOneSpelling } from './spelling.ts'
import { splitUnspaced } from './unspaced-words.ts'

/** Words that do not name a subject: English function words, and a few others such as 'paper' and 'tell'. */
const STOPWORDS = new Set(
  (
    'a about above after again against all also although am among an and any are as at be because been before being below between both but by ' +
    'can could did do does doing done down during each either else ever few for from further get give given had has have having he her here hers ' +
    'him his how however i if in into is it its itself just least less let many may me might mine more most much must my neither no nor not now ' +
    'of off often on once one only onto or other others our ours out over own per rather same shall she should since so some such than that the ' +
    'their theirs them themselves then there these they this those though through thus to too under until up upon us very was we were what when ' +
    'where whether which while who whom whose why will with within without would yes yet you your yours ' +
    'author authors paper say says said study tell'
  ).split(' '),
)

/**
 * Returns the search terms of a text: its words and numbers in order, with repetitions and without stopwords. Terms are in
 * lower case, without accents, in one spelling of British and American words, and stemmed (Porter's second English stemmer,
 * http://snowball.tartarus.org/algorithms/english/stemmer.html). In scripts without spaces between words, such as Chinese, the
 * terms are the words of a dictionary.
 */
export const searchTerms = (text: string): string[] =>
  splitUnspaced(text).flatMap((part) => (part.isWord ? [part.text.normalize('NFKC')] : spacedTerms(part.text)))

function spacedTerms(text: string): string[] {
  const plain = plainOf(text)
  const words = plain.match(isAscii(plain) ? ASCII_WORDS : WORDS) ?? []
  const terms: string[] = []
  for (const word of words) {
    const bare = word.includes("'") ? word.replace(/'\p{L}*$/u, '') : word
    // "doesn't" and similar words are all stopwords.
    if (!word.endsWith("n't") && !STOPWORDS.has(bare)) terms.push(stemOf(bare))
  }
  return terms
}

const WORDS = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}]+(?:'\p{L}+)*/gu
/** Matches the same words as WORDS in lower-case ASCII text, in a third of the time. */
const ASCII_WORDS = /[0-9]+(?:[.,][0-9]+)+|[a-z0-9]+(?:'[a-z]+)*/g

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/** Returns a text in lower case, without accents and with straight apostrophes. */
function plainOf(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  // The number of a footnote or reference is not part of the word before it ('gradients⁶²'), unlike in 'm²' and '10⁵'.
  const words = text.replace(/(?<=\p{L}{3})[⁰¹²³⁴-⁹]+/gu, ' ')
  return words.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase()
}

/** A cache of stems by word. Stemming takes most of the time of a question about a book, in which the words repeat. */
const stems = new Map<string, string>()
const MOST_STEMS = 100_000
/**
 * Maximum length of a word that is stemmed, in characters. A longer word is not a real word, and the time of the stemmer is
 * quadratic (10 s for 20,000 letters).
 */
const LONGEST_WORD = 64

function stemOf(word: string): string {
  if (word.length > LONGEST_WORD) return word
  let known = stems.get(word)
  if (known === undefined) {
    known = stem(inOneSpelling(word))
    if (stems.size >= MOST_STEMS) stems.clear()
    stems.set(word, known)
  }
  return known
}
