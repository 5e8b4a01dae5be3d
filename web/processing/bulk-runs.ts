import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { job as jobSchema } from '#shared/contract/jobs.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { ExtractionMethod, ProcessInput } from '#shared/contract/processing.ts'
import { many, messageOf, request } from '#web/lib/api.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { BULK_RUNS_KEY, cancelJob, startJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

const RECENT = 20
/** Returns the key in localStorage of the last run of a project, or of several projects, that the user dismissed. */
const dismissedKey = (run: Job) => `lectern.bulk-run-seen.${run.project_id ?? 'several'}`

/**
 * Query: the user's latest bulk runs (jobs that process several documents) of all projects, newest first. The event stream
 * updates them.
 */
const bulkRunsQuery = queryOptions({
  queryKey: BULK_RUNS_KEY,
  queryFn: ({ signal }) => request(api.jobs({ kind: 'process', limit: RECENT }), { schema: many(jobSchema), signal }),
})

/**
 * Returns the user's queued and running bulk runs (jobs that process several documents) in a project, and those with papers of
 * several projects. If there are none, `ended` is the last completed or failed run, until the user dismisses it.
 */
export function useBulkRuns(projectId: string): { active: Job[]; ended: Job | null; dismiss: () => void } {
  const runs = (useQuery({ ...bulkRunsQuery, enabled: useFirstAnswers() }).data ?? []).filter(
    ({ project_id }) => project_id === projectId || project_id === null,
  )
  const [dismissed, setDismissed] = useState<string | null>(null)
  const active = runs.filter(({ status }) => status === 'queued' || status === 'running')
  const last = runs.find(({ status }) => status === 'completed' || status === 'failed')
  const isSeen = last && [dismissed, localStorage.getItem(dismissedKey(last))].includes(last.id)
  return {
    active,
    ended: active.length === 0 && last && !isSeen ? last : null,
    dismiss: () => {
      if (!last) return
      localStorage.setItem(dismissedKey(last), last.id)
      setDismissed(last.id)
    },
  }
}

/**
 * Starts a bulk run (a job that processes several documents). Returns true if the server accepted it; otherwise shows a toast.
 */
export async function startBulkRun(
  input: Omit<ProcessInput, 'method'> & { method?: ExtractionMethod },
): Promise<boolean> {
  try {
    await startJob(queryClient, api.documentsProcess(), input)
    return true
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error), destructive: true })
    return false
  }
}

/** Cancels a bulk run (a job that processes several documents). Finished documents keep their results. */
export const cancelBulkRun = (run: Job) =>
  cancelJob(run.id).catch((error: unknown) =>
    toast({ title: 'Error', description: messageOf(error), destructive: true }),
  )
