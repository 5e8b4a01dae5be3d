import { useActiveImports } from '#web/lib/jobs.ts'
import { JobStrip } from '#web/processing/index.ts'

/** The running imports of a project, each with its progress and a cancel button. */
export function ActiveImports({ projectId }: { projectId: string }) {
  return <JobStrip jobs={useActiveImports(projectId).data ?? []} />
}
