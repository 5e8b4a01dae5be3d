import type { AnswerStatement } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import type { Span } from '#shared/passages/sentences.ts'
import type { Place } from '#shared/passages/place-of.ts'
import type { Anchor } from '#shared/passages/reanchor.ts'
import type { Ranked } from './blend.ts'
import type { Choice } from './choose-passages.ts'
import type { TextChunk } from './chunk-text.ts'
import type { RankedPassage, RankOptions } from './rank-passages.ts'
import type { StoredCandidates } from './read-candidates.ts'
import type { Postings, ScoredPassages, ScoreOptions } from './score-postings.ts'
import type { MarkedPassage } from './mark-terms.ts'
import type { TextComparison } from './compare-texts.ts'
import type { CountedTerms } from './count-terms.ts'

/** A text that is loaded when its task starts. */
export interface LazyText {
  /** The number of characters of the text, or an estimate; 0 if it is not known before the text is loaded. */
  size: number
  load: () => Promise<string>
  /** Identifies this version of the text. A worker caches the last text that it received with a key for its next task. */
  key?: string | undefined
}

/** A text as the worker receives it. If `text` is undefined, the worker uses the text that it has cached under `key`. */
export type KeyedText = { text: string; key?: string } | { key: string; text?: undefined }

/** A quote to find in a text, and its expected page. */
export interface WantedPassage {
  quote: string
  nearPage?: number | undefined
}

/** A place in a text: the page, and offsets in the text of the page. */
export interface KnownPlace {
  page: number
  start: number
  end: number
}

/**
 * A chunk with the sentences that get a vector, as offsets in the text of the page. A chunk of a list of references has no
 * sentences.
 */
export interface PlannedChunk extends TextChunk {
  sentences: Span[]
}

/** A chunk that the caller of the API has made from the text of a document. */
export type GivenChunk = Pick<TextChunk, 'content' | 'pageNumber' | 'pageOffset'>

/** A chunk that is not in a list of references, with its position in the document. */
export interface PlacedChunk {
  position: number
  content: string
}

/** A chunk that was chosen for an answer, with its best sentence and its coverage of the question's words. */
export interface ChosenPassage extends Pick<Ranked, 'best' | 'coverage'> {
  content: string
  page_number: number
  page_offset: number
  /** The sentences of the chunk with their cosines to the question. */
  sentences: { start: number; end: number; similarity: number }[]
}

/** Input and output of the tasks of the worker thread that reads texts, by the name of the task. */
export interface TextTasks {
  inspect: { input: { text: string }; output: { pages: number; hasWords: boolean } }
  passages: { input: KeyedText & { wanted: readonly WantedPassage[] }; output: FoundPassage[] }
  /** Finds quotes like the task `passages`, and returns the exact text at each place and the text around it. */
  places: { input: KeyedText & { wanted: readonly WantedPassage[] }; output: Place[] }
  /** Finds quotes of an older text of the document. Returns their places in the given order. */
  reanchor: { input: KeyedText & { anchors: readonly Anchor[] }; output: Place[] }
  /** Returns the passages that are similar to words of an older text which could not be found. */
  similar: { input: KeyedText & { anchor: Anchor }; output: Place[] }
  /** Finds the words at places of this text in `newText`. Returns their places in `newText`. */
  relocate: { input: KeyedText & { newText: string; places: readonly KnownPlace[] }; output: Place[] }
  ground: { input: KeyedText & { answer: string }; output: AnswerStatement[] }
  /** Compares a new text with this one. */
  compare: { input: KeyedText & { newText: string }; output: TextComparison }
  /** Returns the words of the question that the text does not contain. */
  missing: { input: KeyedText & { question: string; isFocused: boolean }; output: string[] }
  withoutReferences: { input: KeyedText; output: string }
  /** Plans the chunks of a text. The worker sends the chunks in progress messages before the result. */
  chunks: { input: { text: string }; output: { hasWords: boolean } }
  mark: { input: { text: string; chunks: readonly GivenChunk[] }; output: null }
  /** Counts terms. `chunks` is the list of chunks, or its JSON as the database returns it. */
  terms: { input: { chunks: string | readonly PlacedChunk[] }; output: CountedTerms }
  /** Chooses passages. Each of `candidates` is a part of the list as the JSON of StoredCandidate[], which the worker parses. */
  choose: {
    input: { question: string; candidates: readonly string[]; limit: number; leastRelevance: number | null }
    output: Omit<Choice, 'chosen'> & { passages: ChosenPassage[] }
  }
  /** Returns the passages of a search by words, best first: see score-postings.ts. */
  score: { input: ScoreOptions & { lists: readonly Postings[] }; output: ScoredPassages }
  /** Ranks passages. `words` has the BM25 score of each passage by the key '<document id> <position>'. */
  rank: {
    input: RankOptions & { candidates: StoredCandidates; words: ReadonlyMap<string, number> }
    output: RankedPassage[]
  }
  marks: { input: { terms: readonly string[]; texts: readonly string[] }; output: MarkedPassage[] }
  /** Parses (`parse`) or writes (`write`) JSON in UTF-8. */
  parse: { input: { bytes: Uint8Array }; output: object | string | number | boolean | null }
  write: { input: { value: unknown }; output: Uint8Array<ArrayBuffer> }
}

/** A chunk as the database returns it for the task `choose`. */
export interface StoredCandidate {
  content: string
  page_number: number
  page_offset: number
  sentences: { start: number; end: number; similarity: number }[]
}

/** A request to the worker thread that reads texts: the name of a task with its input. */
export type TextRequest = { [K in keyof TextTasks]: { task: K } & TextTasks[K]['input'] }[keyof TextTasks]
