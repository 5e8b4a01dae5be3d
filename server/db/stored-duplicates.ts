import type { AnswerSource } from '#shared/contract/conversations.ts'
import type { Passage } from '#shared/contract/passages.ts'

/**
 * The values of a reference that are compared to find duplicates; missing values are omitted. `server/matching` defines the
 * values.
 */
export type StoredComparison = Record<string, unknown>

/**
 * A field of the paper that is kept in a join (a merge of duplicate papers): its value before the join and its value after it.
 */
export interface ChangedValue {
  before: unknown
  after: unknown
}

/**
 * A field of the reference before and after a join (a merge of duplicate papers). `passages` are the passages of the value
 * before the join, in the text with the version `text_version`.
 */
export interface ChangedField extends ChangedValue {
  passages?: Passage[]
  text_version?: number
}

/** The changes of a join (the merge of a duplicate paper into another paper), stored for its undo. */
export interface StoredJoin {
  /** The columns of the kept paper that the join changed or another join had filled, except its reference and its passages. */
  columns: Record<string, ChangedValue>
  /** The changed fields of the reference of the kept paper, by their names in CSL. */
  reference: Record<string, ChangedField>
  /** The fields of the kept paper that count as edited by a user only because of the join (merge of duplicates). */
  edited_fields: string[]
  /**
   * The keywords, and the ids of the tags, that the kept paper got from the joined paper (the duplicate) and would not have
   * without its joins.
   */
  keywords: string[]
  tag_ids: string[]
  /**
   * The keywords that the kept paper would have without its joins (merges of duplicates). Undefined for joins of earlier
   * versions of Lectern.
   */
  own_keywords?: string[]
  /** The import records and the recommendations that referred to the joined paper (the duplicate) before the join. */
  record_ids: string[]
  recommendation_ids: string[]
  /** The ids of the Zotero items of the joined paper (the duplicate). Undefined for joins of earlier versions of Lectern. */
  zotero_item_ids?: string[]
  /** The evidence and the chats of the joined paper (the duplicate). Undefined for joins of earlier versions of Lectern. */
  answers?: JoinedAnswers
}

/**
 * The evidence, the conversations and the sources of answers that a join (a merge of duplicate papers) moved to the kept paper.
 */
export interface JoinedAnswers {
  evidence_ids: string[]
  conversation_ids: string[]
  sources: { message_id: string; source: AnswerSource }[]
}
