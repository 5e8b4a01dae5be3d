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
  /** Its number of characters, as far as it is known before the text is loaded. */
  size: number
  load: () => Promise<string>
  /** Identifies this version of the text; a worker stores the last text with a key for the next task. */
  key?: string | undefined
}

/** A text as the worker receives it. Without `text`, the worker uses the text that it has stored under `key`. */
export type KeyedText = { text: string; key?: string } | { key: string; text?: undefined }

/** A quote to find in a text, and its expected page. */
export interface WantedPassage {
  quote: string
  nearPage?: number | undefined
}

/** A place in a page of a text. */
export interface KnownPlace {
  page: number
  start: number
  end: number
}

/** A chunk with the sentences that get a vector, as offsets in the page's text; none in a list of references. */
export interface PlannedChunk extends TextChunk {
  sentences: Span[]
}

/** A chunk that a caller split off a document's text. */
export type GivenChunk = Pick<TextChunk, 'content' | 'pageNumber' | 'pageOffset'>

/** A chunk without references, with its position in the document. */
export interface PlacedChunk {
  position: number
  content: string
}

/** A chosen chunk: its best sentence, its coverage, and the text that a source shows. */
export interface ChosenPassage extends Pick<Ranked, 'best' | 'coverage'> {
  content: string
  page_number: number
  page_offset: number
  /** Its sentences with their cosines to the question. */
  sentences: { start: number; end: number; similarity: number }[]
}

/** Input and output of the worker's tasks, by name. */
export interface TextTasks {
  inspect: { input: { text: string }; output: { pages: number; hasWords: boolean } }
  passages: { input: KeyedText & { wanted: readonly WantedPassage[] }; output: FoundPassage[] }
  /** As `passages`, with the exact text of each place and the text around it. */
  places: { input: KeyedText & { wanted: readonly WantedPassage[] }; output: Place[] }
  /** The places of quotes of an older text, in the given order. */
  reanchor: { input: KeyedText & { anchors: readonly Anchor[] }; output: Place[] }
  /** The passages that resemble lost words. */
  similar: { input: KeyedText & { anchor: Anchor }; output: Place[] }
  /** The places in a new text of the words at places of this one. */
  relocate: { input: KeyedText & { newText: string; places: readonly KnownPlace[] }; output: Place[] }
  ground: { input: KeyedText & { answer: string }; output: AnswerStatement[] }
  /** Compares a new text with this one. */
  compare: { input: KeyedText & { newText: string }; output: TextComparison }
  /** The asked words that the text does not contain. */
  missing: { input: KeyedText & { question: string; isFocused: boolean }; output: string[] }
  withoutReferences: { input: KeyedText; output: string }
  /** The planned chunks are sent before the result, as progress. */
  chunks: { input: { text: string }; output: { hasWords: boolean } }
  mark: { input: { text: string; chunks: readonly GivenChunk[] }; output: null }
  /** `chunks`: the list, or its JSON as the database returns it. */
  terms: { input: { chunks: string | readonly PlacedChunk[] }; output: CountedTerms }
  /** `candidates`: parts of the list, each the JSON of StoredCandidate[], parsed in the worker. */
  choose: {
    input: { question: string; candidates: readonly string[]; limit: number; leastRelevance: number | null }
    output: Omit<Choice, 'chosen'> & { passages: ChosenPassage[] }
  }
  /** The passages of a search by words, best first: see score-postings.ts. */
  score: { input: ScoreOptions & { lists: readonly Postings[] }; output: ScoredPassages }
  /** `words`: BM25 by 'document position'. */
  rank: {
    input: RankOptions & { candidates: StoredCandidates; words: ReadonlyMap<string, number> }
    output: RankedPassage[]
  }
  marks: { input: { terms: readonly string[]; texts: readonly string[] }; output: MarkedPassage[] }
  /** JSON as UTF-8, in both directions. */
  parse: { input: { bytes: Uint8Array }; output: object | string | number | boolean | null }
  write: { input: { value: unknown }; output: Uint8Array<ArrayBuffer> }
}

/** A chunk in the form in which the database returns it for `choose`. */
export interface StoredCandidate {
  content: string
  page_number: number
  page_offset: number
  sentences: { start: number; end: number; similarity: number }[]
}

/** A request to the worker. */
export type TextRequest = { [K in keyof TextTasks]: { task: K } & TextTasks[K]['input'] }[keyof TextTasks]
