import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api.ts'
import { shortDate } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './duplicates.module.css'
import { joinedPapersQuery, undoJoins } from './queries.ts'

/**
 * The papers that were joined (merged) with a document as duplicates, each with an undo button. Renders nothing if there are
 * none.
 */
export function JoinedPapers({ documentId }: { documentId: string }) {
  const mayEdit = useMay('edit')
  const joined = useQuery(joinedPapersQuery(documentId)).data ?? []
  const undoing = useMutation({
    mutationFn: (id: string) => undoJoins([id]),
    onSuccess: () => toast({ title: 'Join undone' }),
    onError: (error) => toast({ title: 'Error', description: messageOf(error), destructive: true }),
  })
  if (joined.length === 0) return null
  return (
    <section>
      <h2>Joined papers</h2>
      <ul className={styles.joined}>
        {joined.map(({ id, title, joined_at, joined_by, can_undo }) => (
          <li key={id}>
            {title}
            <p>
              Joined on {shortDate(joined_at)}
              {joined_by ? ` by ${joined_by}` : ''}
            </p>
            {mayEdit && can_undo ? (
              <Button
                size="sm"
                className="mt-1.5"
                disabled={undoing.isPending}
                aria-label={`Undo the join of ${title}`}
                onClick={() => undoing.mutate(id)}
              >
                Undo
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
