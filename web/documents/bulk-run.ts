import { useSyncExternalStore } from 'react'
import { documentTitle } from '#shared/documents.ts'
import type { DocumentRow } from '#shared/documents.ts'
import { api } from '#shared/paths.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { JobCancelled, cancelJob, finished, startJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

export type Stage = 'extract' | 'analyze' | 'vectorize'

export interface BulkRun {
  total: number
  done: number
  /** What is happening now, in words. */
  doing: string
  cancel: () => void
}

const AT_ONCE = 2
const DOING: Record<Stage, string> = { extract: 'Extracting', analyze: 'Analysing', vectorize: 'Vectorising' }

let run: BulkRun | null = null
const listeners = new Set<() => void>()

/** The work over several documents that goes on now, whatever page is open; null when there is none. */
export const useBulkRun = () => useSyncExternalStore(subscribe, () => run)

/** Takes every document through the stages, one after the other, two documents at a time; ends with one notice. */
export async function runBulk(
  rows: readonly DocumentRow[],
  stages: readonly Stage[],
  promptId?: string,
): Promise<void> {
  if (run) return
  const running = new Set<string>()
  let cancelled = false
  const failures: string[] = []
  const show = (patch: Partial<BulkRun>) => set(run && { ...run, ...patch })
  set({
    total: rows.length,
    done: 0,
    doing: DOING[stages[0]!],
    cancel: () => {
      cancelled = true
      for (const id of running) void cancelJob(id)
    },
  })
  const queue = [...rows]
  // The steps are started from this tab: what has not been started when it closes never is.
  const warn = (event: BeforeUnloadEvent) => {
    if (!cancelled && (queue.length > 0 || stages.length > 1)) event.preventDefault()
  }
  addEventListener('beforeunload', warn)
  const worker = async () => {
    for (let row = queue.shift(); row && !cancelled; row = queue.shift()) {
      try {
        for (const stage of stages) {
          if (cancelled || (stages.length > 1 && stage === 'extract' && row.extraction_method)) continue
          show({ doing: DOING[stage] })
          const job = await start(row.id, stage, promptId)
          if (!job) continue
          running.add(job.id)
          await finished(job).finally(() => running.delete(job.id))
        }
      } catch (error) {
        if (!(error instanceof JobCancelled)) failures.push(`${documentTitle(row)}: ${messageOf(error)}`)
      }
      show({ done: (run?.done ?? 0) + 1 })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  removeEventListener('beforeunload', warn)
  set(null)
  if (cancelled) toast({ title: 'Cancelled', description: 'What was finished before is kept.' })
  else if (failures.length > 0)
    toast({
      title: 'Error',
      description: `${failures.length} of ${rows.length} documents failed. ${failures.join(' ')}`,
      destructive: true,
    })
  else
    toast({
      title: 'Success',
      description: `${rows.length === 1 ? '1 document' : `${rows.length} documents`} processed`,
    })
}

/** Null when there is nothing to do: a vectorised document stays as it is. */
async function start(id: string, stage: Stage, promptId: string | undefined) {
  const calls: Record<Stage, [string, unknown]> = {
    extract: [api.documentExtract(id), { method: 'text' }],
    analyze: [api.documentAnalyze(id), { prompt_id: promptId }],
    vectorize: [api.documentVectorize(id), { force: false }],
  }
  const [path, body] = calls[stage]
  try {
    return await startJob(queryClient, path, body)
  } catch (error) {
    if (stage === 'vectorize' && error instanceof ApiError && isAlreadyVectorized(error)) return null
    throw error
  }
}

/** True for the refusal to vectorise a document twice. */
export const isAlreadyVectorized = (error: ApiError) => error.code === 'already_vectorized'

function set(next: BulkRun | null) {
  run = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
