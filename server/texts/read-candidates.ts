import type { LibraryCandidate } from './rank-passages.ts'

/**
 * The candidates of a search as the database returns them. `passages` is the JSON of StoredPassage[]. `sentences` has '<id of
 * its passage> <start> <end> <cosine>' for each sentence, separated by semicolons, because one text is faster than JSON
 * objects.
 */
export interface StoredCandidates {
  passages: string
  sentences: string
}

type StoredPassage = Pick<LibraryCandidate, 'document_id' | 'position' | 'content' | 'page_number' | 'page_offset'> & {
  id: string
}

/**
 * Returns the candidates of a search, each with its sentences in the order of the text and its BM25 score. `words` has the BM25
 * score of each passage by the key '<document id> <position>'; a passage without an entry gets the score 0.
 */
export function readCandidates(
  { passages, sentences }: StoredCandidates,
  words: ReadonlyMap<string, number>,
): LibraryCandidate[] {
  const sentencesOf = new Map<string, LibraryCandidate['sentences']>()
  for (const sentence of sentences.split(';').filter(Boolean)) {
    const [id, start, end, similarity] = sentence.split(' ')
    const own = sentencesOf.get(id!) ?? []
    sentencesOf.set(id!, own)
    own.push({ start: Number(start), end: Number(end), similarity: Number(similarity) })
  }
  return (JSON.parse(passages) as StoredPassage[]).map(({ id, ...passage }) => ({
    ...passage,
    sentences: (sentencesOf.get(id) ?? []).sort((a, b) => a.start - b.start),
    words: words.get(`${passage.document_id} ${passage.position}`) ?? 0,
  }))
}
