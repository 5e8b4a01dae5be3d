import type { Evidence } from '#shared/contract/evidence.ts'

/** A former place of evidence in the text of its document. */
export interface FormerPlace extends Omit<Evidence, 'document_id'> {
  /** The time until which the evidence had this place. */
  until: string
  /** True if a user replaced this place by another one. */
  replaced_by_user?: true
}
