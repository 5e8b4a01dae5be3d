/**
 * Public functions of server/texts: work on whole texts. The functions of read-texts.ts and large-json.ts run in worker
 * threads.
 */
export { bm25, indexTexts } from './bm25.ts'
export { numbersWithout } from './unsupported-numbers.ts'
export { largeJson, parseLargeBody } from './large-json.ts'
export {
  choosePassages,
  compareTexts,
  countTerms,
  findMissing,
  findPassages,
  findPlaces,
  findSimilar,
  groundAnswer,
  inspectText,
  markChunks,
  markTerms,
  planChunks,
  rankPassages,
  reanchorQuotes,
  refuseTooLarge,
  relocatePlaces,
  scorePassages,
  withoutReferences,
} from './read-texts.ts'
export type { TextComparison } from './compare-texts.ts'
export type { MarkedPassage } from './mark-terms.ts'
export type { RankedPassage } from './rank-passages.ts'
export type { StoredCandidates } from './read-candidates.ts'
export type { CountedTerms } from './count-terms.ts'
export type { ChosenPassage, GivenChunk, LazyText, PlannedChunk, TextTasks, WantedPassage } from './tasks.ts'
