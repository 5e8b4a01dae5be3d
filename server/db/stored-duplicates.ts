import type { AnswerSource } from '#shared/contract/conversations.ts'

/** The values of a reference that are compared; missing values are left out. `server/matching` defines them. */
export type StoredComparison = Record<string, unknown>

/** The value of a field of the paper that stayed, before and after a join. */
export interface ChangedValue {
  before: unknown
  after: unknown
}

/** The changes of a join, to undo them. */
export interface StoredJoin {
  /** The changed columns of the paper that stayed, except its reference. */
  columns: Record<string, ChangedValue>
  /** The changed fields of its reference, by their names in CSL. */
  reference: Record<string, ChangedValue>
  /** The keywords, names of edited fields and tags that were added to it. */
  keywords: string[]
  edited_fields: string[]
  tag_ids: string[]
  /** The records of imports and the recommendations that named the joined paper. */
  record_ids: string[]
  recommendation_ids: string[]
  /** The evidence and the chats of the joined paper; undefined for joins of earlier versions. */
  answers?: JoinedAnswers
}

/** The evidence, the chats and the sources that a join moved. */
export interface JoinedAnswers {
  evidence_ids: string[]
  conversation_ids: string[]
  sources: { message_id: string; source: AnswerSource }[]
}
