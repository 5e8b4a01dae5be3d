import type { ReactNode } from 'react'
import type { Journal } from '#shared/contract/journals.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { Figure, Figures } from '#web/ui/figures.tsx'
import { whole } from './figures.ts'
import styles from './journals.module.css'

/** The data of a journal: numbers, names and URLs. */
export function JournalFacts({ journal }: { journal: Journal }) {
  const link = (address: string | null) => (address ? <Outside address={address} /> : null)
  const facts: [string, ReactNode][] = [
    ['Publisher', journal.publisher],
    ['ISSN-L', journal.issn_l],
    ['Open access', journal.is_open_access === null ? null : journal.is_open_access ? 'Yes' : 'No'],
    ['Home page', link(journal.homepage_url)],
    ['RSS feed', journal.rss_feed_cut ? `${journal.rss_feed_url} (its query is hidden)` : link(journal.rss_feed_url)],
    ['OpenAlex ID', link(journal.openalex_id)],
    ['Works at OpenAlex', link(journal.works_api_url)],
    ['Description', journal.description],
    ['Changed by OpenAlex', journal.last_updated ? shortDateAndTime(journal.last_updated) : null],
    ['Changed here', shortDateAndTime(journal.updated_at)],
  ]
  return (
    <>
      <Figures className="pt-0">
        <Figure label="Works" value={whole(journal.works_count)} />
        <Figure label="Citations" value={whole(journal.citations_count)} />
        <Figure label="h-index" value={whole(journal.h_index)} />
        <Figure label="i10-index" value={whole(journal.i10_index)} />
      </Figures>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** A link to another site. */
const Outside = ({ address }: { address: string }) => (
  <a href={address} target="_blank" rel="noreferrer noopener">
    {address}
  </a>
)
