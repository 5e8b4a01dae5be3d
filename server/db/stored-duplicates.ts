import type { AnswerSource } from '#shared/contract/conversations.ts'
import type { Passage } from '#shared/contract/passages.ts'

/**
 * The values of a reference that are compared to find duplicates; missing values are omitted. `server/matching` defines the
 * values.
 */
export type StoredComparison = Record<string, unknown>

/** A field of the paper that stays after a join: the value before the join and the value after it. */
export interface ChangedValue {
  before: unknown
  after: unknown
}

/** A field of the reference before and after a join, with the passages of its value before in the text of `text_version`. */
export interface ChangedField extends ChangedValue {
  passages?: Passage[]
  text_version?: number
}

/** The changes of a join, to undo them. */
export interface StoredJoin {
  /** The changed columns of the paper that stayed, except its reference and its passages. */
  columns: Record<string, ChangedValue>
  /** The changed fields of its reference, by their names in CSL. */
  reference: Record<string, ChangedField>
  /** The names of edited fields that were added to it. */
  edited_fields: string[]
  /** The keywords and tags of the joined paper that the paper that stayed did not have without its joins. */
  keywords: string[]
  tag_ids: string[]
  /** The keywords that the paper that stayed had without its joins; undefined for joins of earlier versions. */
  own_keywords?: string[]
  /** The records of imports and the recommendations that named the joined paper. */
  record_ids: string[]
  recommendation_ids: string[]
  /** The items of Zotero of the joined paper; undefined for joins of earlier versions. */
  zotero_item_ids?: string[]
  /** The evidence and the chats of the joined paper; undefined for joins of earlier versions. */
  answers?: JoinedAnswers
}

/** The evidence, the conversations and the sources of answers that a join moved to the paper that stayed. */
export interface JoinedAnswers {
  evidence_ids: string[]
  conversation_ids: string[]
  sources: { message_id: string; source: AnswerSource }[]
}
