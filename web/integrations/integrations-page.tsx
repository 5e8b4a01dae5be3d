import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { JournalImport } from '#shared/contract/journal-import.ts'
import { refreshJournals, summaryQuery } from '#web/journals/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { shortDate } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/marks.tsx'
import { Page, PageHead } from '#web/ui/page.tsx'
import { ImportState } from './import-state.tsx'
import styles from './integrations.module.css'
import { LastRuns } from './last-runs.tsx'
import { refreshRuns, runsQuery, useCancelImport, useStartImport } from './queries.ts'
import { useFollowedRun } from './use-followed-run.ts'
import { useImportStream } from './use-import-stream.ts'

const FAILED = 'Error Updating Journals'
const lost = () =>
  toast({
    title: 'Connection Error',
    description: 'Lost connection to the update status stream.',
    destructive: true,
  })

/** The page of the journal update from OpenAlex: the current run or its result, and the previous runs. */
export function IntegrationsPage() {
  useTitle('Integrations')
  const runs = useQuery(runsQuery)
  const summary = useQuery(summaryQuery)
  const starting = useStartImport()
  const cancelling = useCancelImport()
  const latest = runs.data?.[0]
  // The running update is shown above, with its progress.
  const ended = runs.data?.filter(({ status }) => status !== 'running') ?? []
  const isRunning = latest?.status === 'running'
  const refresh = useCallback(() => {
    void refreshRuns()
    void refreshJournals()
  }, [])
  const announce = useCallback((run: JournalImport) => {
    void refreshJournals()
    if (run.status === 'completed') toast({ title: 'Journals updated', description: run.message ?? undefined })
    else if (!run.cancelled) toast({ title: FAILED, description: run.message ?? undefined, destructive: true })
  }, [])
  const follow = useFollowedRun(runs.data, announce)
  const heard = useImportStream(isRunning, { onEnd: refresh, onBreak: lost })
  // The server stores the total with the first page. The stream does not contain it, so the runs are refetched.
  const isUncounted = isRunning && latest.expected === null && (heard?.currentPage ?? 0) > 0
  useEffect(() => {
    if (isUncounted) void refreshRuns()
  }, [isUncounted])
  const start = () =>
    whenDone(starting.mutateAsync(), {
      onSuccess: ({ id }) => follow(id),
      onError: (error) => {
        const reason = (error instanceof ApiError && error.statusText) || messageOf(error)
        toast({ title: FAILED, description: `Failed to start journal update: ${reason}`, destructive: true })
      },
    })
  const cancel = async () => {
    const sure = await confirm({
      title: 'Cancel the journal update?',
      about:
        'The journals stored so far remain. The update can be started again at any time; it then starts from the beginning.',
      action: 'Cancel update',
      keep: 'Continue the update',
    })
    // The run may have ended while the dialog was open.
    if (!sure || queryClient.getQueryData(runsQuery.queryKey)?.[0]?.status !== 'running') return
    whenDone(cancelling.mutateAsync(), {
      onSuccess: () => toast({ title: 'Journal update cancelled', description: 'The journals stored so far remain.' }),
      onError: (error) => toast({ title: FAILED, description: messageOf(error), destructive: true }),
    })
  }
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>Integrations</h1>
      </PageHead>
      <section className={styles.integration} aria-labelledby="openalex">
        <div className={styles.integrationHead}>
          <div>
            <h2 id="openalex">Journals from OpenAlex</h2>
            <p className={cn(styles.about, 'text-muted-foreground')}>
              Imports all journals of OpenAlex, the open scholarly catalog. New journals are added and existing ones are
              updated. Excluded journals, fields edited by administrators and your feed addresses do not change. It
              takes almost an hour and continues when you leave this page.
            </p>
            {summary.data && !isRunning ? (
              <p className={cn(styles.about, 'text-muted-foreground tabular-nums lining-nums')}>
                {grouped(summary.data.count)} journals
                {summary.data.last_updated ? `, last updated ${shortDate(summary.data.last_updated)}` : ''}
              </p>
            ) : null}
          </div>
          {isRunning ? (
            <Button disabled={cancelling.isPending} onClick={() => void cancel()}>
              {cancelling.isPending ? 'Cancelling...' : 'Cancel'}
            </Button>
          ) : (
            <Button variant="primary" disabled={starting.isPending || runs.isPending} onClick={start}>
              {starting.isPending ? 'Starting...' : 'Update Journals'}
            </Button>
          )}
        </div>
        {runs.isLoadingError ? (
          <LoadFailed title="Error loading updates" error={runs.error} onRetry={() => void runs.refetch()} />
        ) : runs.data ? (
          latest ? (
            <ImportState run={isRunning && heard ? { ...latest, ...heard } : latest} />
          ) : (
            <p className={cn(styles.about, 'text-muted-foreground mt-4')}>The journals have never been updated.</p>
          )
        ) : (
          <div className="mt-4" role="status" aria-label="Loading...">
            <Skeleton height="0.5rem" />
          </div>
        )}
      </section>
      {ended.length > 0 ? <LastRuns runs={ended} /> : null}
    </Page>
  )
}
