import type { ReactNode } from 'react'
import type { Journal } from '#shared/contract/journals.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { whole } from './figures.ts'
import styles from './journals.module.css'

/** The data of a journal: figures, names and addresses. */
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
      <dl className={styles.figures}>
        <Figure name="Works" value={journal.works_count} />
        <Figure name="Citations" value={journal.citations_count} />
        <Figure name="h-index" value={journal.h_index} />
        <Figure name="i10-index" value={journal.i10_index} />
      </dl>
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

function Figure({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{whole(value)}</dd>
    </div>
  )
}

/** A link to another site. */
const Outside = ({ address }: { address: string }) => (
  <a href={address} target="_blank" rel="noreferrer noopener">
    {address}
  </a>
)
