import { JOB_CANCELLED } from '#shared/contract/jobs.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { processResult } from '#shared/contract/processing.ts'
import type { ProcessResult } from '#shared/contract/processing.ts'
import { counted } from './dates.ts'
import { toast } from './toast-state.ts'

/**
 * Returns the summary of an ended bulk run (a job that processes several documents): the numbers of documents in words, and the
 * documents that failed or have a warning. `isBad` is true if documents failed, or if the run failed and was not cancelled.
 */
export function summaryOfRun(run: Job): {
  isBad: boolean
  words: string
  failed: ProcessResult['failed']
  warned: ProcessResult['warned']
} {
  const result = processResult.safeParse(run.result).data
  const failed = result?.failed ?? []
  const isCancelled = run.error === JOB_CANCELLED
  const ending = run.status === 'failed' ? `${isCancelled ? 'Cancelled' : run.error}. ` : ''
  return {
    isBad: failed.length > 0 || (run.status === 'failed' && !isCancelled),
    words: `${ending}${result ? wordsOf(result) : ''}`.trim(),
    failed,
    warned: result?.warned ?? [],
  }
}

/** Shows the summary of an ended bulk run (a job that processes several documents) as a toast on the current page. */
export function notifyOfRun(run: Job): void {
  const { isBad, words } = summaryOfRun(run)
  const title = run.status === 'completed' ? 'Documents processed' : 'Processing ended early'
  toast({ title, description: words, destructive: isBad })
}

function wordsOf({ total, done, unchanged, warned, failed }: ProcessResult): string {
  const rest = total - done - unchanged - failed.length
  return [
    `${done} of ${counted(total, 'document')} processed.`,
    unchanged > 0 ? `${unchanged} had nothing left to do.` : '',
    failed.length > 0 ? `${failed.length} failed.` : '',
    warned.length > 0 ? `${warned.length} with a warning.` : '',
    rest > 0 && failed.length === 0 ? `${rest} left as ${rest === 1 ? 'it was' : 'they were'}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
