import type { Evidence } from '#shared/contract/evidence.ts'

/**
 * A former place of evidence (a quote that supports a statement) in the text of its document: the quote with its page, its
 * offsets and the text around it. The place changes if the text is replaced or a user chooses another place.
 */
export interface FormerPlace extends Omit<Evidence, 'document_id'> {
  /** The time until which the evidence had this place. */
  until: string
  /** True if a user replaced this place by another one. */
  replaced_by_user?: true
}
