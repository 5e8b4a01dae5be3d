/** All processing of whole texts, in worker threads: see read-texts.ts. */
export { bm25, indexTexts } from './bm25.ts'
export { largeJson, parseLargeBody } from './large-json.ts'
export {
  choosePassages,
  compareTexts,
  findMissing,
  findPassages,
  groundAnswer,
  inspectText,
  markChunks,
  planChunks,
  refuseTooLarge,
  withoutReferences,
} from './read-texts.ts'
export type { TextComparison } from './compare-texts.ts'
export type { ChosenPassage, GivenChunk, LazyText, PlannedChunk, TextTasks, WantedPassage } from './tasks.ts'
