import type { JobKind } from '#shared/jobs.ts'

/** What the queue does, as people call it. */
export const JOB_NAMES: Record<JobKind, string> = {
  extract: 'Text extraction',
  ocr: 'OCR',
  analyze: 'Analysis',
  vectorize: 'Vectorising',
  process: 'Several documents at once',
  fetch: 'Fetching of PDFs',
  journals: 'Journal update',
  research: 'Recommendations',
}
