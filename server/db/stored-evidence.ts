import type { Evidence } from '#shared/contract/evidence.ts'

/** The place of evidence in an earlier text of its document: the quote with its page, its offsets and the text around it. */
export interface FormerPlace extends Omit<Evidence, 'document_id'> {
  /** The time until which the evidence had this place. */
  until: string
  /** True if a user replaced this place by another one. */
  replaced_by_user?: true
}
