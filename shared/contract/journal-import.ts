import { z } from 'zod'
import { grouped } from '#shared/text/numbers.ts'

/** Progress of the catalog update from OpenAlex, as the event stream sends it. Times are in seconds. */
export const importProgress = z.object({
  status: z.enum(['running', 'completed', 'error']),
  progress: z.number().min(0).max(100).describe('percent'),
  totalProcessed: z.number().int(),
  newJournals: z.number().int(),
  updatedJournals: z.number().int(),
  skippedJournals: z.number().int().describe('journals that have not changed at OpenAlex'),
  excludedJournals: z.number().int(),
  errors: z.number().int().describe('sources that could not be read'),
  currentPage: z.number().int(),
  elapsedTime: z.number().describe('seconds since the start, or duration of a finished run'),
  totalTime: z
    .number()
    .nullable()
    .describe('duration of the run in seconds: an estimate while it runs, null before there is one'),
  message: z.string().nullable(),
})
export type ImportProgress = z.infer<typeof importProgress>

/** An update of the journal catalog, with its progress, id and times. */
export const journalImport = importProgress.extend({
  id: z.uuid(),
  expected: z.number().int().nullable().describe('number of journals that OpenAlex reports'),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  cancelled: z.boolean(),
})
export type JournalImport = z.infer<typeof journalImport>

export const importStart = z.object({ action: z.literal('update', "The action must be 'update'.") })

/** Returns the message of a completed catalog update. */
export const completedWords = (n: { processed: number; added: number; updated: number }): string =>
  `Processed ${grouped(n.processed)} journals. Added ${grouped(n.added)} new journals and updated ${grouped(n.updated)} existing journals.`

interface Run {
  status: ImportProgress['status']
  expected: number | null
  processed: number
  added: number
  updated: number
  skipped: number
  excluded: number
  errors: number
  pages: number
  message: string | null
  started_at: string
  finished_at: string | null
}

/** Returns the progress of a catalog update in the format of the event stream. `now` is in milliseconds since the epoch. */
export function toProgress(run: Run, now: number): ImportProgress {
  const end = run.finished_at === null ? now : Date.parse(run.finished_at)
  const elapsed = Math.max(0, end - Date.parse(run.started_at)) / 1000
  const part = run.expected ? Math.min(1, run.processed / run.expected) : 0
  const isRunning = run.status === 'running'
  const tenth = (seconds: number) => Math.round(seconds * 10) / 10
  return {
    status: run.status,
    // Only a completed run reports 100.
    progress: run.status === 'completed' ? 100 : Math.min(99, Math.floor(part * 100)),
    totalProcessed: run.processed,
    newJournals: run.added,
    updatedJournals: run.updated,
    skippedJournals: run.skipped,
    excludedJournals: run.excluded,
    errors: run.errors,
    currentPage: run.pages,
    elapsedTime: tenth(elapsed),
    totalTime: isRunning ? (part > 0 ? tenth(elapsed / part) : null) : tenth(elapsed),
    message: run.message,
  }
}
