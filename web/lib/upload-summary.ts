import type { Toast } from './toast-state.ts'

/** Number of files in each state at the end of an upload. */
export interface UploadCounts {
  uploaded: number
  /** Files that were not accepted. A retry is useless, because the server would refuse them again. */
  refused: number
  /** Files whose upload failed. A retry can succeed. */
  failed: number
  /** Files that were not sent, because the user cancelled the upload. */
  waiting: number
}

const NAMED = 3

/** Returns the counts in words, for example '14 uploaded, 4 refused'. */
export const uploadSummary = ({ uploaded, refused, failed, waiting }: UploadCounts): string =>
  [
    `${uploaded} uploaded`,
    refused > 0 ? `${refused} refused` : '',
    failed > 0 ? `${failed} failed` : '',
    waiting > 0 ? `${waiting} not sent` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** Returns the last three failure messages, one per line, and a line with the number of the remaining ones: 'And 4 more.'. */
export function listFailures(sentences: readonly string[]): string {
  const more = sentences.length - NAMED
  return [...sentences.slice(-NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n')
}

/** Returns the toast at the end of an upload of several files. */
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
