import type { PaperPassage } from './builtin/paper-passage.ts'

/** A passage of a paper, with the paper's data that the model reads. */
export interface LibraryPassage extends PaperPassage {
  title: string | null
  year: number | null
  evidence_level: string | null
}

export interface LibraryQuestion {
  question: string
  /** The question before, if this one refers to it. */
  before: string | null
  /** Earlier questions of the conversation with their answers, oldest first. */
  turns: readonly { question: string; answer: string }[]
  /** Papers in the scope. */
  papers: number
  /** Best first. */
  passages: readonly LibraryPassage[]
  /** The IDF in the project of each term of the question. */
  weights: readonly (readonly [term: string, idf: number])[]
  /** Asked names, numbers, units and things that no paper in the scope contains. */
  missing: readonly string[]
  /** All words of the question that no paper in the scope contains. */
  absent: readonly string[]
}
