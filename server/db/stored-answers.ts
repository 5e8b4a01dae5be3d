import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import type { AnswerSource, LibraryAnswer, ReadPassage } from '#shared/contract/conversations.ts'

/** A sentence with the ids of its evidence. */
type StoredSentence = Omit<LibraryAnswer['sentences'][number], 'evidence'> & { evidence: string[] }

/** An answer over a project. The rows of `evidence` have the places of its quotes. */
export interface StoredLibraryAnswer extends Omit<LibraryAnswer, 'sentences' | 'nearest' | 'missing' | 'apart'> {
  sentences: StoredSentence[]
  nearest: string[]
  /** Answers of earlier versions lack both. */
  missing?: string[]
  apart?: string[]
}

/** An answer about one document, in the version of the text in which its passages were found. */
export interface StoredChatAnswer {
  chat: Omit<ChatAnswer, 'conversation_id'>
  text_version: number
  /** The passages in a newer version of the text, or in the text of the paper with which the document was joined. */
  now?: FoundInText
}

/** The passages of all statements of a chat, in order, as they were found in a version of a text. */
export interface FoundInText {
  document_id: string
  text_version: number
  passages: FoundPassage[]
}

export type StoredAnswer = StoredLibraryAnswer | StoredChatAnswer

/** A source as it was cited. */
export type StoredSource = AnswerSource

/** A passage that the model read. Its title is missing: it is read with the document. */
export type StoredPassage = Omit<ReadPassage, 'title'>
