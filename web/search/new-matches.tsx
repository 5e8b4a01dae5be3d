import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SavedSearch } from '#shared/contract/saved-searches.ts'
import { searchParams } from '#shared/contract/search-address.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Badge } from '#web/ui/marks.tsx'
import { searchQuery } from './queries.ts'
import { markSeen, seenAt } from './seen-searches.ts'

/**
 * The number of new papers beside a saved search: papers that contain its words and were added since the user last opened it.
 * Renders nothing if there are none or the search is open. It does not search by meaning, because that would call the embedding
 * model for each saved search.
 */
export function NewMatches({ saved, isCurrent }: { saved: SavedSearch; isCurrent: boolean }) {
  const [since, setSince] = useState(() => seenAt(saved))
  useEffect(() => {
    if (!isCurrent) return
    markSeen(saved.id)
    return () => setSince(seenAt(saved))
  }, [isCurrent, saved])
  const params = {
    ...searchParams(saved.project_id, saved.query),
    kind: 'papers' as const,
    limit: 1,
    page: 1,
    meaning: 'false' as const,
  }
  const { data, isPlaceholderData } = useQuery({
    ...searchQuery({ ...params, added_after: since }),
    enabled: !isCurrent,
  })
  if (isCurrent || !data || isPlaceholderData || data.count === 0) return null
  const count = typeof data.count === 'number' ? grouped(data.count) : '1,000+'
  return (
    <Badge>
      {count} new<span className="sr-only">{data.count === 1 ? ' paper' : ' papers'}</span>
    </Badge>
  )
}
