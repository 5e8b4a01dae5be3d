import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { SOURCES_PAGE_SIZE } from '#shared/contract/journals.ts'
import type { FoundSource } from '#shared/contract/journals.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { FieldError, Input } from '#web/ui/field.tsx'
import { Badge, Waiting } from '#web/ui/marks.tsx'
import { whole } from './figures.ts'
import styles from './journals.module.css'
import { sourcesQuery, useAddJournal } from './queries.ts'
import { SEARCH_FAILED } from './search.ts'

/** The tab that searches the sources of OpenAlex. Each result has an Add button. */
export function SourceSearch() {
  const [words, setWords] = useState('')
  const [query, setQuery] = useState({ words: '', page: 1 })
  const found = useQuery(sourcesQuery(query.words, query.page))
  const { error } = found
  useEffect(() => {
    if (error) toast({ ...SEARCH_FAILED, destructive: true })
  }, [error])
  const search = (event: SyntheticEvent) => {
    event.preventDefault()
    const next = { words: words.trim(), page: 1 }
    if (next.words === query.words && query.page === 1) void found.refetch()
    setQuery(next)
  }
  const pageCount = Math.ceil((found.data?.count ?? 0) / SOURCES_PAGE_SIZE)
  return (
    <>
      <form className="flex gap-2" role="search" onSubmit={search}>
        <Input
          className="flex-1"
          icon={<Search aria-hidden />}
          aria-label="Journal name or ISSN"
          placeholder="Journal name or ISSN..."
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Button type="submit" variant="primary" disabled={words.trim() === '' || found.isFetching}>
          {found.isFetching ? 'Searching...' : 'Search'}
        </Button>
      </form>
      {error ? (
        <FieldError role="alert">
          {SEARCH_FAILED.description} {messageOf(error)}
        </FieldError>
      ) : found.isLoading ? (
        <Waiting>Searching...</Waiting>
      ) : found.data ? (
        <>
          <p className={cn(styles.details, 'text-muted-foreground mt-3')} role="status">
            {found.data.count === 0 ? 'No journals found.' : `${counted(found.data.count, 'source')} at OpenAlex`}
          </p>
          <ul className={styles.sources} aria-label="Found sources">
            {found.data.data.map((source) => (
              <Source key={source.openalex_id} source={source} />
            ))}
          </ul>
          {pageCount > 1 ? (
            <div className="mt-3 flex items-center justify-between">
              <Button size="sm" disabled={query.page <= 1} onClick={() => setQuery({ ...query, page: query.page - 1 })}>
                Previous
              </Button>
              <span
                className={cn(styles.details, 'text-muted-foreground tabular-nums lining-nums')}
              >{`Page ${query.page} of ${grouped(pageCount)}`}</span>
              <Button
                size="sm"
                disabled={query.page >= pageCount}
                onClick={() => setQuery({ ...query, page: query.page + 1 })}
              >
                Next
              </Button>
            </div>
          ) : null}
        </>
      ) : null}
    </>
  )
}

function Source({ source }: { source: FoundSource }) {
  const adding = useAddJournal()
  const about = [source.publisher, source.issn_l, source.type === 'journal' ? null : source.type]
  const add = () => {
    const { journal_id: _id, excluded: _excluded, type: _type, ...fields } = source
    whenDone(adding.mutateAsync(fields), {
      onSuccess: () => toast({ title: 'Journal added', description: source.name }),
      onError: (error) => toast({ title: 'Failed to add journal', description: messageOf(error), destructive: true }),
    })
  }
  return (
    <li>
      <div>
        <b>{source.name}</b>
        <p>
          {about.filter(Boolean).join(' · ') || '—'}
          <span className="tabular-nums lining-nums"> · {whole(source.works_count)} works</span>
        </p>
      </div>
      {source.journal_id ? (
        <Badge>In the catalog</Badge>
      ) : source.excluded ? (
        <Badge>Excluded</Badge>
      ) : (
        <Button size="sm" aria-label={`Add ${source.name}`} disabled={adding.isPending} onClick={add}>
          {adding.isPending ? 'Adding...' : 'Add'}
        </Button>
      )}
    </li>
  )
}
