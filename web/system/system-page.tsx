import './system.css'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailed } from '#web/admin/index.ts'
import { FailedJobs } from './failed-jobs.tsx'
import { FailingFeeds } from './failing-feeds.tsx'
import { Figures } from './figures.tsx'
import { lookAgain, statusQuery } from './queries.ts'
import { QueueTable } from './queue-table.tsx'

/** The state of the installation. The figures are refetched while the page is visible. */
export function SystemPage() {
  useTitle('System')
  const status = useQuery(statusQuery)
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>System</h1>
        <div className="end">
          <Button onClick={() => void lookAgain()}>
            <RefreshCw className="ic" aria-hidden />
            Refresh
          </Button>
        </div>
      </div>
      {status.error && !status.data ? (
        <LoadFailed
          title="The system status could not be loaded"
          error={status.error}
          onRetry={() => void status.refetch()}
        />
      ) : (
        <>
          <Figures status={status.data} />
          <section className="system-part">
            <h2 className="sec">Queue</h2>
            <QueueTable queue={status.data?.queue} />
          </section>
        </>
      )}
      <section className="system-part">
        <h2 className="sec">Failed jobs</h2>
        <FailedJobs />
      </section>
      <section className="system-part">
        <h2 className="sec">Failing feeds</h2>
        <FailingFeeds />
      </section>
    </main>
  )
}
