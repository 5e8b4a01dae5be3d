import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shortDate } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { AddJournalDialog } from './add-journal-dialog.tsx'
import { Catalogue } from './catalogue.tsx'
import { ExcludedList } from './excluded-list.tsx'
import { ExclusionDialog } from './exclusion-dialog.tsx'
import styles from './journals.module.css'
import { summaryQuery } from './queries.ts'
import type { JournalsSearch } from './search.ts'

const TABS = [
  { value: 'journals', label: 'Journals' },
  { value: 'excluded', label: 'Excluded Journals' },
] as const

/**
 * The page with the catalog of journals and the exclusion list. Tab, search text and page number are search parameters of the
 * URL.
 */
export function JournalsPage({
  search,
  onSearch,
}: {
  search: JournalsSearch
  onSearch: (search: JournalsSearch) => void
}) {
  useTitle('Journals')
  const [adding, setAdding] = useState(false)
  const summary = useQuery(summaryQuery)
  const tab = search.tab ?? 'journals'
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>
          Journals
          {summary.data ? <HeadCount>{grouped(summary.data.count)}</HeadCount> : null}
        </h1>
        <HeadActions>
          {summary.data?.last_updated ? (
            <span className={cn(styles.details, 'text-muted-foreground tabular-nums lining-nums mr-2 max-md:hidden')}>
              Last updated {shortDate(summary.data.last_updated)}
            </span>
          ) : null}
          <Button variant="primary" onClick={() => setAdding(true)}>
            {tab === 'journals' ? 'Add Journal' : 'Add Exclusion'}
          </Button>
        </HeadActions>
      </PageHead>
      <Tabs label="Journals" value={tab} onChange={(next) => onSearch({ tab: next })} tabs={TABS}>
        <TabPanel value="journals">
          <Catalogue search={search} onSearch={onSearch} />
        </TabPanel>
        <TabPanel value="excluded">
          <ExcludedList />
        </TabPanel>
      </Tabs>
      {tab === 'journals' ? (
        <AddJournalDialog open={adding} onOpenChange={setAdding} />
      ) : (
        <ExclusionDialog open={adding} onOpenChange={setAdding} />
      )}
    </Page>
  )
}
