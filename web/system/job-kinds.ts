import type { JobKind } from '#shared/contract/jobs.ts'

/** Labels of the job kinds. */
export const JOB_NAMES: Record<JobKind, string> = {
  extract: 'Text extraction',
  ocr: 'OCR',
  analyze: 'Analysis',
  vectorize: 'Vectorizing',
  process: 'Bulk run',
  fetch: 'PDF download',
  journals: 'Journal update',
  research: 'Recommendations',
}
