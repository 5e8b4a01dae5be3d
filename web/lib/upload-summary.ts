import type { Toast } from './toast-state.ts'

/** How an upload of several files ended: the number of files in each state. */
export interface UploadCounts {
  uploaded: number
  /** Not a file that the server takes; it is refused every time. */
  refused: number
  /** May be sent again. */
  failed: number
  /** Cancelled before its turn. */
  waiting: number
}

const NAMED = 3

/** For example '14 uploaded, 4 refused'. */
export const uploadSummary = ({ uploaded, refused, failed, waiting }: UploadCounts): string =>
  [
    `${uploaded} uploaded`,
    refused > 0 ? `${refused} refused` : '',
    failed > 0 ? `${failed} failed` : '',
    waiting > 0 ? `${waiting} not sent` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** Failure sentences for one notice: the last of them by name, the number of the others. */
export function listFailures(sentences: readonly string[]): string {
  const more = sentences.length - NAMED
  return [...sentences.slice(-NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n')
}

/** The one notice at the end of an upload of several files, with the words of the summary line. */
export function uploadNotice(counts: UploadCounts, failures: readonly string[]): Toast {
  const isBad = counts.refused + counts.failed > 0
  return {
    title: uploadSummary(counts),
    description: isBad
      ? listFailures(failures)
      : counts.waiting > 0
        ? 'The upload was cancelled.'
        : 'All files uploaded successfully',
    destructive: isBad,
  }
}
