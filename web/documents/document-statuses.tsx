import { useQuery } from '@tanstack/react-query'
import { statusLabel } from '#shared/contract/documents.ts'
import { documentFiltersQuery } from './queries.ts'

const ORDER = ['Completed', 'Pending', 'Processing', 'Error'] as const

/** Counts of a project's documents by status, for example `33 completed, 7 pending`. */
export function DocumentStatuses({ projectId }: { projectId: string }) {
  const { data } = useQuery(documentFiltersQuery(projectId))
  // A space reserves the line until the counts are loaded.
  if (!data) return <>&nbsp;</>
  const counts = new Map<string, number>()
  for (const { status, document_count } of data.statuses) {
    const word = statusLabel(status)
    counts.set(word, (counts.get(word) ?? 0) + document_count)
  }
  return (
    <>
      {ORDER.filter((word) => counts.get(word))
        .map((word) => `${counts.get(word)} ${word.toLowerCase()}`)
        .join(', ')}
    </>
  )
}
