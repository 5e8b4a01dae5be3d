import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { recentDate } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Alert, Skeleton } from '#web/ui/marks.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import styles from './conversations.module.css'
import { conversationsQuery } from './queries.ts'
import { shownTitle } from './titles.ts'

interface ConversationListProps {
  project: Project
  currentId: string | undefined
  mayAsk: boolean
  /** Called when a conversation is opened. */
  onChoose?: () => void
  /** Closes the open conversation: the next question starts a new one. */
  onStartFresh: () => void
}

/** The list of the conversations about the papers of a project, newest first. */
export function ConversationList({ project, currentId, mayAsk, onChoose, onStartFresh }: ConversationListProps) {
  const list = useInfiniteQuery(conversationsQuery(project.id))
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      <div className={styles.listHead}>
        <h2>Conversations</h2>
        {mayAsk && rows?.length !== 0 ? (
          <Button size="sm" onClick={onStartFresh}>
            <Plus aria-hidden />
            Start fresh
          </Button>
        ) : null}
      </div>
      {list.error ? (
        <>
          <Alert>{messageOf(list.error)}</Alert>
          <Button size="sm" className="mt-3" onClick={() => void list.refetch()}>
            Retry
          </Button>
        </>
      ) : null}
      {!rows && !list.error ? (
        <div className="grid gap-6 p-3" aria-busy>
          {[84, 66, 78].map((width) => (
            <Skeleton key={width} width={`${width}%`} />
          ))}
        </div>
      ) : null}
      {rows?.length === 0 ? <p className="px-3 text-meta text-muted-foreground">None yet.</p> : null}
      <ul>
        {rows?.map((conversation) => (
          <li
            key={conversation.id}
            className={styles.listRow}
            aria-current={conversation.id === currentId ? 'true' : undefined}
          >
            <Link
              to={pages.ask(project.address, { conversation: conversation.id })}
              activeProps={{}}
              aria-current={conversation.id === currentId ? 'page' : undefined}
              onClick={onChoose}
            >
              {shownTitle(conversation)}
            </Link>
            <ConversationMenu
              conversation={conversation}
              onGone={() => (conversation.id === currentId ? onStartFresh() : undefined)}
            />
            <span>
              {[
                recentDate(conversation.updated_at),
                conversation.is_mine ? '' : (conversation.created_by?.name ?? 'A former member'),
                conversation.visibility === 'project' ? 'Project' : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button variant="ghost" size="sm" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show older conversations
        </Button>
      ) : null}
    </>
  )
}
