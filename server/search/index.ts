/** Public functions of the search over passages of several papers. */
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
