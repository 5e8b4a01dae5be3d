import {
  type LibrarySearch,
  type SearchCount,
  type SearchKind,
  WORDS_ONLY_NOTES,
} from '#shared/contract/library-search.ts'
import type { Project } from '#shared/contract/projects.ts'
import { PROCESS_MAX } from '#shared/contract/processing.ts'
import type { PassageSearch } from '#shared/contract/search-address.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { startBulkRun } from '#web/processing/index.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { readNotVectorized } from './queries.ts'
import { NO_FILTERS, withoutFilter } from './search-params.ts'

const MAY_NOT_EDIT = {
  title: 'You cannot vectorize these papers',
  description: 'Only members who may edit the papers of their project can do this.',
}

/**
 * Notes above the search results: how many papers have no vectors, and why the search compared only words and not meaning
 * (LIB-05, LIB-26).
 */
export function SearchNotes({
  result: { not_vectorized: count, words_only },
  project,
  search,
}: {
  result: LibrarySearch
  project: Project
  search: PassageSearch
}) {
  const mayEdit = useMay('edit')
  const vectorize = async () => {
    try {
      const { data: ids } = await readNotVectorized({ project_id: project.id, scope: search.scope ?? 'project' })
      if (ids.length === 0) {
        toast(MAY_NOT_EDIT)
        return
      }
      const steps = ['extract' as const, 'vectorize' as const]
      if (await startBulkRun({ document_ids: ids, steps, method: 'auto', force: false }))
        toast({
          title: `Vectorizing ${counted(ids.length, 'paper')}`,
          description: 'The progress is on the documents page.',
        })
    } catch (error) {
      toast({ title: 'Error', description: messageOf(error), destructive: true })
    }
  }
  return (
    <>
      {words_only ? <p className="mt-3 text-meta text-muted-foreground">{WORDS_ONLY_NOTES[words_only]}</p> : null}
      {count > 0 ? (
        <p className="mt-3 text-meta text-muted-foreground">
          {count === 1 ? '1 paper is' : `${grouped(count)} papers are`} not searchable by meaning yet.{' '}
          {mayEdit ? (
            <button type="button" className="text-link" onClick={() => void vectorize()}>
              {count > PROCESS_MAX
                ? `Vectorize the newest ${PROCESS_MAX}`
                : count === 1
                  ? 'Vectorize it'
                  : 'Vectorize them'}
            </button>
          ) : null}
        </p>
      ) : null}
    </>
  )
}

const inWords = (count: SearchCount) => (typeof count === 'number' ? grouped(count) : 'at least 1,000')

const areIn = (count: SearchCount, noun: string) =>
  typeof count === 'number' ? `${count === 1 ? 'is' : 'are'} ${counted(count, noun)}` : `are at least 1,000 ${noun}s`

/**
 * Shown if a search has no results. Tells how many results there would be without each filter, with buttons that remove
 * filters.
 */
export function NoHits({
  result: { without },
  kind,
  onChange,
}: {
  result: LibrarySearch
  kind: SearchKind
  onChange: (patch: Partial<PassageSearch>) => void
}) {
  const noun = kind === 'papers' ? 'paper' : 'passage'
  const dropped = without.flatMap(({ filter, count }) => {
    const known = withoutFilter(filter)
    return known ? [{ ...known, count }] : []
  })
  const [most, ...others] = dropped
  const conditions = without.find(({ filter }) => filter === 'query')
  const about = most
    ? `Without the ${most.name} there ${areIn(most.count, noun)}${others.map(({ name, count }) => `, without the ${name} ${inWords(count)}`).join('')}.`
    : conditions
      ? `Without the conditions of the search there ${areIn(conditions.count, noun)}.`
      : 'Try other words, or a larger scope.'
  return (
    <div className="mt-4">
      <EmptyState
        title={`No ${noun} found.`}
        about={about}
        actions={
          most ? (
            <>
              <Button size="sm" onClick={() => onChange(most.patch)}>
                Drop the {most.name}
              </Button>
              <Button variant="ghost" size="sm" onClick={() => onChange(NO_FILTERS)}>
                Drop all filters
              </Button>
            </>
          ) : undefined
        }
      />
    </div>
  )
}
