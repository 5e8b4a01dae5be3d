import { useQuery } from '@tanstack/react-query'
import type { ConversationMessage, ReadPassage } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import { abstractStart } from '#shared/passages/abstract-start.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { type Reading, useReaderEntry } from '#web/reader/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Alert, Badge, Waiting } from '#web/ui/marks.tsx'
import { MatchKind } from '#web/ui/match-kind.tsx'
import { PageLink } from '#web/ui/page-link.tsx'
import styles from './answer.module.css'
import { passagesQuery } from './queries.ts'
import { TitleLink } from './title-link.tsx'

/**
 * The passages that were given to the model, best first, and which of them the answer quotes. A click on a passage opens it in
 * the reader.
 */
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
  const { open } = useReaderEntry()
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
          {data.map((passage) => {
            const show = () => {
              onClose()
              open(readingOf(passage, address))
            }
            return (
              <li key={passage.rank}>
                <div>
                  <span className={styles.rank}>{passage.rank}</span>
                  <PageLink page={passage.page} onClick={show} />
                  <MatchKind matched={passage.matched} />
                  {passage.used ? <Badge>quoted</Badge> : null}
                </div>
                <h3>
                  <TitleLink to={pages.document(address, passage.document_id)} onOpen={show}>
                    {titleOf(passage)}
                  </TitleLink>
                </h3>
                <p className={styles.passage}>{shownText(passage)}</p>
              </li>
            )
          })}
        </ol>
      )}
    </Dialog>
  )
}

const titleOf = ({ title }: ReadPassage) => title ?? 'Untitled paper'
const shownText = (passage: ReadPassage) => passage.content.slice(abstractStart(passage.content, passage))

/** Returns a passage as the reader shows it. Its place on the page is not stored, so the reader searches for its words. */
const readingOf = (passage: ReadPassage, address: string): Reading => ({
  documentId: passage.document_id,
  passage: { quote: shownText(passage), page: passage.page, start: null, end: null, match: 'exact', score: 1 },
  paper: { title: titleOf(passage), address: pages.document(address, passage.document_id) },
})
