import type { PaperPassage } from './builtin/paper-passage.ts'

/** A passage of a paper, with the paper's data that the model reads. */
export interface LibraryPassage extends PaperPassage {
  title: string | null
  year: number | null
  evidence_level: string | null
}

export interface LibraryQuestion {
  question: string
  /** The previous question if this one refers to it; else null. */
  before: string | null
  /** Earlier questions of the conversation with their answers, oldest first. */
  turns: readonly { question: string; answer: string }[]
  /** Number of papers in the scope of the question. */
  papers: number
  /** The passages that the search found, best first. */
  passages: readonly LibraryPassage[]
  /** The IDF in the project of each term of the question. */
  weights: readonly (readonly [term: string, idf: number])[]
  /** Names, numbers, units and concrete words ('bread') of the question that no paper in the scope contains. */
  missing: readonly string[]
  /** All words of the question that no paper in the scope contains. */
  absent: readonly string[]
}
