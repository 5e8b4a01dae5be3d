import type { DocumentRow } from '#shared/contract/documents.ts'
import { failureWords } from '#web/lib/failure-words.ts'

/** Returns the message about the status of a document for the user: why its last step failed, or why it has no file. */
export const statusReason = ({ status_message, failed_step }: DocumentRow): string | null =>
  status_message === null ? null : failureWords(failed_step, status_message)

/** Returns the text about a document whose vectors failed, with the reason. */
export const vectorFailure = (reason: string): string => `Vectorizing failed: ${reason}`
