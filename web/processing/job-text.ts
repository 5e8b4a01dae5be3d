import type { Job, JobKind } from '#shared/contract/jobs.ts'

const DOING: Record<JobKind, string> = {
  extract: 'Extracting text',
  ocr: 'Reading pages',
  analyze: 'Analyzing',
  vectorize: 'Vectorizing',
  process: 'Processing',
  fetch: 'Searching for the open-access PDF',
  import: 'Importing references',
  journals: 'Journal update',
  research: 'Searching for papers',
  duplicates: 'Looking for duplicates',
  zotero: 'Importing from Zotero',
}

/** Returns the name of the step that a job does, for example 'Vectorizing'. */
export const jobKindText = ({ kind }: Job): string => DOING[kind]

/** Returns the state of an active job in words: its reported progress, or its step and whether it waits. */
export const jobText = ({ kind, status, progress_text: text }: Job): string =>
  text ?? (status === 'queued' ? `${DOING[kind]}: waiting in the queue` : DOING[kind])
