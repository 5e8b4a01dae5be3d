import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { timeOfDay } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { HeadActions, Page, PageHead } from '#web/ui/page.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { BackendPanel } from './backend-panel.tsx'
import type { UsageSearch } from './periods.ts'
import { ProviderPanel } from './provider-panel.tsx'
import { backendQuery, usageQuery, useRefreshUsage } from './queries.ts'
import styles from './usage.module.css'

const TABS = [
  { value: 'provider', label: 'AI provider' },
  { value: 'backend', label: 'Hosted backend' },
] as const

/**
 * The page with usage and cost of AI models, files and the database. Its data is refetched every five minutes and with the
 * Refresh button.
 */
export function UsagePage({ search, onSearch }: { search: UsageSearch; onSearch: (search: UsageSearch) => void }) {
  useTitle('API Usage & Costs')
  const tab = search.tab ?? 'provider'
  const period = search.period ?? '30'
  const usage = useQuery({ ...usageQuery(period), enabled: tab === 'provider' })
  const backend = useQuery({ ...backendQuery, enabled: tab === 'backend' })
  const shown = tab === 'provider' ? usage : backend
  const refreshing = useRefreshUsage()
  const failed = shown.error
  useEffect(() => {
    if (failed)
      toast({ title: 'Error', description: 'Failed to fetch usage data. Please try again.', destructive: true })
  }, [failed])
  const refresh = () =>
    whenDone(refreshing.mutateAsync(), {
      onError: () =>
        toast({
          title: 'Error',
          description: 'Failed to refresh OpenAI usage data. Please try again.',
          destructive: true,
        }),
    })
  const busy = refreshing.isPending || shown.isFetching
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>API Usage & Costs</h1>
        <HeadActions>
          {shown.data ? (
            <span
              className={cn(styles.amount, 'text-muted-foreground tabular-nums lining-nums text-meta mr-2')}
              role="status"
            >
              Updated {timeOfDay(shown.data.refreshed_at)}, refreshes every 5 minutes
            </span>
          ) : null}
          <Button onClick={refresh} disabled={busy}>
            <RefreshCw aria-hidden />
            {busy ? 'Refreshing...' : 'Refresh'}
          </Button>
        </HeadActions>
      </PageHead>
      <Tabs
        label="Usage"
        value={tab}
        onChange={(next) => onSearch({ ...search, tab: next === 'backend' ? 'backend' : undefined })}
        tabs={TABS}
      >
        <TabPanel value={tab}>
          {failed && !shown.data ? (
            <LoadFailed
              title="Failed to fetch usage data. Please try again."
              error={failed}
              onRetry={() => void shown.refetch()}
            />
          ) : tab === 'provider' ? (
            <ProviderPanel
              usage={usage.data}
              period={period}
              onPeriod={(next) => onSearch({ ...search, period: next === '30' ? undefined : next })}
            />
          ) : (
            <BackendPanel backend={backend.data} />
          )}
        </TabPanel>
      </Tabs>
    </Page>
  )
}
