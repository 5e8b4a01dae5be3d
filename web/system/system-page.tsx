import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { HeadActions, Page, PageHead, SectionTitle } from '#web/ui/page.tsx'
import { FailedJobs } from './failed-jobs.tsx'
import { FailingFeeds } from './failing-feeds.tsx'
import { SystemFigures } from './system-figures.tsx'
import { ModelsCompared } from './models-compared.tsx'
import { lookAgain, statusQuery } from './queries.ts'
import { QueueTable } from './queue-table.tsx'
import styles from './system.module.css'
import { PassageIndex } from './passage-index.tsx'
import { Vectors } from './vectors.tsx'

/** The page with the state of the installation. Its data is refetched while the page is visible. */
export function SystemPage() {
  useTitle('System')
  const status = useQuery(statusQuery)
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>System</h1>
        <HeadActions>
          <Button onClick={() => void lookAgain()}>
            <RefreshCw aria-hidden />
            Refresh
          </Button>
        </HeadActions>
      </PageHead>
      {status.error && !status.data ? (
        <LoadFailed
          title="The system status could not be loaded"
          error={status.error}
          onRetry={() => void status.refetch()}
        />
      ) : (
        <>
          <SystemFigures status={status.data} />
          <section className={styles.part}>
            <SectionTitle>Queue</SectionTitle>
            <QueueTable queue={status.data?.queue} />
          </section>
          {status.data ? (
            <section className={styles.part}>
              <SectionTitle>Vectors</SectionTitle>
              <Vectors vectors={status.data.vectors} />
            </section>
          ) : null}
          {status.data ? (
            <section className={styles.part}>
              <SectionTitle>Search index</SectionTitle>
              <PassageIndex index={status.data.index} />
            </section>
          ) : null}
        </>
      )}
      <section className={styles.part}>
        <SectionTitle>Models compared</SectionTitle>
        <ModelsCompared />
      </section>
      <section className={styles.part}>
        <SectionTitle>Failed jobs</SectionTitle>
        <FailedJobs />
      </section>
      <section className={styles.part}>
        <SectionTitle>Failing feeds</SectionTitle>
        <FailingFeeds />
      </section>
    </Page>
  )
}
