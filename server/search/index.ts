/** Public functions of server/search: the search over passages of several papers, and the passages for an answer. */
export {
  type AnswerPassage,
  type AskedPart,
  findKnownWords,
  findPassagesFor,
  measureScope,
  type PaperScope,
  type ScopeSize,
} from './passages-for-answer.ts'
export { stopCodes } from './code-pool.ts'
