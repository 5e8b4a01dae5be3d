import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import type { AnswerSource, LibraryAnswer, ReadPassage } from '#shared/contract/conversations.ts'
import type { MatchOfPassage } from '#shared/contract/match-of-passage.ts'

/** A sentence of a stored answer, with the ids of its evidence. */
type StoredSentence = Omit<LibraryAnswer['sentences'][number], 'evidence'> & { evidence: string[] }

/** An answer over a project, as the column `answer` stores it. Rows of the table `evidence` store the places of its quotes. */
export interface StoredLibraryAnswer extends Omit<LibraryAnswer, 'sentences' | 'nearest' | 'missing' | 'apart'> {
  sentences: StoredSentence[]
  nearest: string[]
  /** In the order of `nearest`. Undefined in answers of earlier versions of Lectern. */
  nearest_matches?: MatchOfPassage[]
  /** `missing` and `apart` are undefined in answers of earlier versions of Lectern. */
  missing?: string[]
  apart?: string[]
}

/**
 * An answer about one document, as the column `answer` stores it. `text_version` is the version of the text in which its
 * passages were found.
 */
export interface StoredChatAnswer {
  chat: Omit<ChatAnswer, 'conversation_id'>
  text_version: number
  /**
   * The passages of the answer as they were found in a newer version of the document's text, or in the text of the paper into
   * which the document was merged as a duplicate.
   */
  now?: FoundInText
}

/** The passages of all statements of a chat answer, in order, as they were found in one version of the text of a document. */
export interface FoundInText {
  document_id: string
  text_version: number
  passages: FoundPassage[]
}

export type StoredAnswer = StoredLibraryAnswer | StoredChatAnswer

/** A paper that an answer cites, with the values that the answer showed. It is stored with the answer. */
export type StoredSource = AnswerSource

/** A passage that the model read. The title is not stored, because it is read from the document. */
export type StoredPassage = Omit<ReadPassage, 'title'>
