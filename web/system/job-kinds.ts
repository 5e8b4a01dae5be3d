import type { JobKind } from '#shared/contract/jobs.ts'

/** Labels of the job kinds. */
export const JOB_NAMES: Record<JobKind, string> = {
  extract: 'Text extraction',
  ocr: 'OCR',
  analyze: 'Analysis',
  vectorize: 'Vectorizing',
  process: 'Bulk run',
  fetch: 'PDF download',
  import: 'Import of references',
  journals: 'Journal update',
  research: 'Discover',
  duplicates: 'Search for duplicates',
  zotero: 'Zotero import',
}
