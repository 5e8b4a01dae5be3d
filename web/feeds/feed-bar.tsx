import { Search } from 'lucide-react'
import type { Subscription } from '#shared/contract/feeds.ts'
import { useRestedWords } from '#web/lib/use-rested-words.ts'
import { Input } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import styles from './feeds.module.css'
import type { FeedSearch } from './search.ts'

/** The filters of the articles: a search text, one journal, unread or starred. Every change resets the page number to 1. */
export function FeedBar({
  search,
  followed,
  onChange,
}: {
  search: FeedSearch
  followed: readonly Subscription[]
  onChange: (patch: Partial<FeedSearch>) => void
}) {
  return (
    <div className={styles.filterBar} role="search">
      <Words value={search.search ?? ''} onChange={(words) => onChange({ search: words || undefined })} />
      <Select
        aria-label="Journal"
        value={search.journal ?? 'all'}
        onChange={(value) => onChange({ journal: value === 'all' ? undefined : value })}
        options={[
          { value: 'all', label: 'All journals' },
          ...followed.map((one) => ({ value: one.journal_id, label: one.journal_name })),
        ]}
      />
      <Select
        aria-label="Show"
        value={search.show ?? 'all'}
        onChange={(value) => onChange({ show: value === 'unread' || value === 'starred' ? value : undefined })}
        options={[
          { value: 'all', label: 'All articles' },
          { value: 'unread', label: 'Unread' },
          { value: 'starred', label: 'Starred' },
        ]}
      />
    </div>
  )
}

function Words({ value, onChange }: { value: string; onChange: (words: string) => void }) {
  const [words, setWords] = useRestedWords(value, onChange)
  return (
    <Input
      icon={<Search aria-hidden />}
      aria-label="Search articles"
      placeholder="Search articles..."
      value={words}
      onChange={({ target }) => setWords(target.value)}
    />
  )
}
