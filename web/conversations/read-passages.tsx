import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ConversationMessage } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import { abstractStart } from '#shared/passages/abstract-start.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Alert, Badge, Waiting } from '#web/ui/marks.tsx'
import { MatchKind } from '#web/ui/match-kind.tsx'
import { PageLinkLabel } from '#web/ui/page-link.tsx'
import styles from './answer.module.css'
import { passagesQuery } from './queries.ts'

/** The passages that were given to the model, best first, and which of them the answer quotes. */
export function ReadPassages({
  message: { id, answer },
  address,
  onClose,
}: {
  message: ConversationMessage
  address: string
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(passagesQuery(id))
  const used = data?.filter((one) => one.used).length
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title="What was read"
      about={
        data
          ? `${counted(data.length, 'passage')}, best first; the answer quotes ${used}. Model: ${answer?.model ?? ''}`
          : undefined
      }
    >
      {error ? (
        <>
          <Alert>{messageOf(error)}</Alert>
          <Button className="mt-3" onClick={() => void refetch()}>
            Retry
          </Button>
        </>
      ) : !data ? (
        <Waiting>Loading the passages</Waiting>
      ) : data.length === 0 ? (
        <p>No passage was found for this question.</p>
      ) : (
        <ol className={styles.readList}>
          {data.map((passage) => (
            <li key={passage.rank}>
              <div>
                <span className={styles.rank}>{passage.rank}</span>
                <PageLinkLabel>{passage.page === null ? 'Abstract' : `p. ${passage.page}`}</PageLinkLabel>
                <MatchKind matched={passage.matched} />
                {passage.used ? <Badge>quoted</Badge> : null}
              </div>
              <h3>
                <Link to={pages.document(address, passage.document_id)}>{passage.title ?? 'Untitled paper'}</Link>
              </h3>
              <p className={styles.passage}>{passage.content.slice(abstractStart(passage.content, passage))}</p>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  )
}
