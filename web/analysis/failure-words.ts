/** Returns the error message of a failed analysis for the user; `fallback` if `message` is empty. */
export function analysisFailure(message: string, fallback: string): string {
  if (message.includes('Request too large'))
    return 'This document is too long to analyze. Please try a shorter document or split the content into smaller sections.'
  if (message.includes('non-2xx status code'))
    return 'The analysis service is currently unavailable. Please try again later.'
  return message || fallback
}
