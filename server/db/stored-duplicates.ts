import type { AnswerSource } from '#shared/contract/conversations.ts'

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

/** The changes of a join of two papers, stored for its undo. */
export interface StoredJoin {
  /** The changed columns of the paper that stayed, except its reference. */
  columns: Record<string, ChangedValue>
  /** The changed fields of the reference of the paper that stayed, by their names in CSL. */
  reference: Record<string, ChangedValue>
  /** The keywords, the names of edited fields and the tags that the join added to the paper that stayed. */
  keywords: string[]
  edited_fields: string[]
  tag_ids: string[]
  /** The import records and the recommendations that referred to the joined paper before the join. */
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
