/** Returns the message of a failed analysis; `fallback` when the failure has no message. */
export function analysisFailure(message: string, fallback: string): string {
  if (message.includes('Request too large'))
    return 'This document is too long to analyze. Please try a shorter document or split the content into smaller sections.'
  if (message.includes('non-2xx status code'))
    return 'The analysis service is currently unavailable. Please try again later.'
  return message || fallback
}
