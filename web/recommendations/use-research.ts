import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { SAVING_FAILED } from '#shared/contract/recommendations.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { cancelJob, finished, JobCancelled, startJob, useActiveProjectJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { refreshRecommendations } from './queries.ts'

const FAILED = 'Error generating research'
/** Ids of the search jobs whose end is already being waited for, so that each end is reported once. */
const awaited = new Set<string>()
/** Query key under which the error message of a project's last failed search is cached. */
const failureKey = (projectId: string) => ['research-failure', projectId]
const setFailure = (projectId: string, words: string | null) => queryClient.setQueryData(failureKey(projectId), words)

/**
 * Returns the state of the search for papers to recommend to a project, and functions to start and stop it. `active` is the
 * queued or running job, which any member may have started, or null. `failure` is the error message of the last search, or
 * null.
 */
export function useResearch(projectId: string) {
  const active = useActiveProjectJob(projectId, 'research').data ?? null
  const failure = useQuery<string | null>({ queryKey: failureKey(projectId), queryFn: skipToken }).data ?? null
  const starting = useMutation({
    mutationFn: () => startJob(queryClient, api.recommendationsGenerate(), { project_id: projectId }),
    // The job may be over before it was seen running.
    onSuccess: (job) => void tellEnd(job, projectId),
    onError: (error) => {
      setFailure(projectId, messageOf(error))
      toast({ title: FAILED, description: messageOf(error), destructive: true })
    },
  })
  useEffect(() => {
    if (active?.is_own) void tellEnd(active, projectId)
  }, [active, projectId])
  return {
    active,
    busy: active !== null || starting.isPending,
    failure,
    start: () => {
      setFailure(projectId, null)
      starting.mutate()
    },
    stop: () =>
      active &&
      cancelJob(active.id).catch((error: unknown) =>
        toast({ title: 'Error', description: messageOf(error), destructive: true }),
      ),
  }
}

async function tellEnd(job: Job, projectId: string): Promise<void> {
  if (awaited.has(job.id)) return
  awaited.add(job.id)
  try {
    const { result } = await finished(job)
    const added = Number(result?.['added'] ?? 0)
    await refreshRecommendations(projectId)
    if (added > 0)
      return toast({ title: 'Research generated', description: `${counted(added, 'new paper')} to look at.` })
    toast({
      title: 'No new papers found',
      description: 'The search found no paper that is not already in this project, listed here or dismissed.',
    })
  } catch (error) {
    if (error instanceof JobCancelled) return
    const words = messageOf(error, 'Failed to generate research')
    setFailure(projectId, words)
    if (words === SAVING_FAILED) toast({ title: SAVING_FAILED, destructive: true })
    else toast({ title: FAILED, description: words, destructive: true })
  }
}
