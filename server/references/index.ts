/** Public functions of the references room: the decision whether a paper is new in a project. */
export { withSamePapers } from './match-papers.ts'
export type { SamePaper } from './tasks.ts'
