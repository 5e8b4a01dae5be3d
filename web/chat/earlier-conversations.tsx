import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import type { ConversationWithMessages } from '#shared/contract/conversations.ts'
import {
  ConversationMenu,
  conversationQuery,
  documentConversationsQuery,
  shownTitle,
} from '#web/conversations/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted, recentDate } from '#web/lib/dates.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './chat.module.css'

const SHOWN = 5

/**
 * The stored conversations about a paper, newest first. A click on a conversation shows its questions and answers with their
 * passages.
 */
export function EarlierConversations({
  documentId,
  empty,
  onOpen,
}: {
  documentId: string
  /** Shown if there are none. */
  empty?: string
  onOpen: (conversation: ConversationWithMessages) => void
}) {
  const [isWhole, setWhole] = useState(false)
  const rows = useQuery(documentConversationsQuery(documentId)).data
  const open = async (id: string) => {
    try {
      // Another tab may have added questions since the list was loaded.
      onOpen(await queryClient.query({ ...conversationQuery(id), staleTime: 0 }))
    } catch (error) {
      toast({ title: 'The conversation could not be opened', description: messageOf(error), destructive: true })
    }
  }
  if (!rows || rows.length === 0) return rows && empty ? <p>{empty}</p> : null
  return (
    <section className={styles.earlier} aria-label="Earlier conversations">
      {empty ? null : <h3>Earlier conversations</h3>}
      <ul>
        {(isWhole ? rows : rows.slice(0, SHOWN)).map((conversation) => (
          <li key={conversation.id}>
            <button type="button" onClick={() => void open(conversation.id)}>
              <span>
                {shownTitle(conversation)}
                <span className="block font-sans text-meta font-normal text-muted-foreground">
                  {[
                    recentDate(conversation.updated_at),
                    counted(conversation.questions, 'question'),
                    conversation.is_mine ? '' : (conversation.created_by?.name ?? 'A former member'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <ArrowRight aria-hidden="true" />
            </button>
            <ConversationMenu conversation={conversation} />
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && !isWhole ? (
        <Button variant="ghost" size="sm" onClick={() => setWhole(true)}>
          Show all {rows.length}
        </Button>
      ) : null}
    </section>
  )
}
