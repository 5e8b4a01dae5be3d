/**
 * Returns the reason of a failed step of a document for the user. `step`: the step, or the kind of its job; null if unknown.
 * Only two failures of an analysis have other words than `message`.
 */
export function failureWords(step: string | null, message: string): string {
  if (step !== 'analyze') return message
  if (message.includes('Request too large'))
    return 'This document is too long to analyze. Please try a shorter document or split the content into smaller sections.'
  if (message.includes('non-2xx status code'))
    return 'The analysis service is currently unavailable. Please try again later.'
  return message
}
