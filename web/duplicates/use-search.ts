import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { cancelJob, finished, JobCancelled, startJob, useActiveProjectJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

/** Ids of the search jobs whose end is already being waited for, so that each end is reported once. */
const awaited = new Set<string>()

const toastError = (error: unknown) => toast({ title: 'Error', description: messageOf(error), destructive: true })

/**
 * The search for duplicates of a project: the running job, which any member may have started, and functions to start and stop
 * it.
 */
export function useSearch(projectId: string) {
  const active = useActiveProjectJob(projectId, 'duplicates').data ?? null
  const starting = useMutation({
    mutationFn: () => startJob(queryClient, api.duplicatesSearch(), { project_id: projectId }),
    // The job may be over before it was seen running.
    onSuccess: (job) => void showEnd(job, projectId),
    onError: toastError,
  })
  useEffect(() => {
    if (active) void showEnd(active, projectId)
  }, [active, projectId])
  return {
    active,
    busy: active !== null || starting.isPending,
    start: () => starting.mutate(),
    stop: () => void (active && cancelJob(active.id).catch(toastError)),
  }
}

async function showEnd(job: Job, projectId: string): Promise<void> {
  if (awaited.has(job.id)) return
  awaited.add(job.id)
  try {
    const { result } = await finished(job)
    await queryClient.invalidateQueries({ queryKey: ['duplicates', projectId] })
    if (job.is_own) toast({ title: `${counted(Number(result?.['compared'] ?? 0), 'paper')} compared` })
  } catch (error) {
    if (job.is_own && !(error instanceof JobCancelled)) toastError(error)
  }
}
