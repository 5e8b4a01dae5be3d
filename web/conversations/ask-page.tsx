import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { List, Plus } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { hasOnlyNearest } from '#shared/contract/answer-texts.ts'
import type { ConversationMessage, StoredEvidence } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ApiError } from '#web/lib/api.ts'
import { takeAskedPapers } from '#web/lib/asked-papers.ts'
import { useMay } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { ReaderPanel, useReaderEntry } from '#web/reader/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { findEvidence, titleOfPaper } from './answer-parts.ts'
import type { AskSearch } from './ask-search.ts'
import { AskField } from './ask-field.tsx'
import { ConversationList } from './conversation-list.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import styles from './conversations.module.css'
import { EvidenceColumn, EvidenceStrip } from './evidence-column.tsx'
import { NoEvidence } from './first-use.tsx'
import { conversationQuery } from './queries.ts'
import { type AskSettings, asMessage, UNSTORED } from './running-answer.ts'
import { Thread } from './thread.tsx'
import { shownTitle } from './titles.ts'
import { useAsking } from './use-asking.ts'

interface AskPageProps {
  project: Project
  search: AskSearch
  /** Changes the search parameters of the URL. `replace`: replaces the current entry of the browser history. */
  onSearch: (search: AskSearch, options?: { replace: boolean }) => void
}

const ALL_PAPERS: AskSettings = { scope: { kind: 'all' }, leaveOutRetracted: true }

/**
 * The screen for questions to a project (LIB-10): the list of conversations, the open conversation, and the evidence of a
 * sentence. The URL contains the conversation and the quote in the reader, so Back closes the reader. A passage of 'What was
 * read' in the reader is in the browser history only.
 */
export function AskPage({ project, search, onSearch }: AskPageProps) {
  const id = search.conversation
  const { address } = project
  const navigate = useNavigate()
  const mayAsk = useMay('ask')
  const loaded = useQuery({ ...conversationQuery(id ?? ''), enabled: id !== undefined })
  // A conversation that was deleted or hidden while it is open.
  const isMissing = loaded.error instanceof ApiError && loaded.error.status === 404
  const conversation = id === undefined || isMissing ? undefined : loaded.data
  useTitle(conversation ? `${shownTitle(conversation)} · ${project.name}` : `Ask · ${project.name}`)
  const onCreate = useCallback(
    (created: string | null) => onSearch({ conversation: created ?? undefined }, { replace: true }),
    [onSearch],
  )
  const asking = useAsking(project.id, onCreate)
  const running = asking.running?.conversationId === (id ?? null) ? asking.running : null
  // A user has one answer at a time, so an unfinished answer is the running one, whose id can still be unknown.
  const isRunning = ({ id: messageId, status }: ConversationMessage) =>
    running !== null && (messageId === running.messageId || (status === 'answering' && running.failure === null))
  const stored = conversation?.messages.filter((message) => !isRunning(message)) ?? []
  const messages = running ? [...stored, asMessage(running)] : stored

  const [chosen, setChosen] = useState<AskSettings | null>(null)
  // Reads the papers that the user chose in the list of documents. Reading removes them, so it happens once, in an effect.
  useEffect(() => {
    const ids = takeAskedPapers(project.id)
    if (ids) setChosen({ ...ALL_PAPERS, scope: { kind: 'papers', document_ids: ids } })
  }, [project.id])
  const last = messages.at(-1)
  const settings = chosen ?? (last ? settingsOf(last) : ALL_PAPERS)

  const [pointedAt, setPointedAt] = useState<{ messageId: string; index: number } | null>(null)
  const onPoint = useCallback((messageId: string, index: number) => setPointedAt({ messageId, index }), [])
  const pointed = pointedSentence(messages, pointedAt)
  const open = findEvidence(messages, search.evidence)
  const [isListOpen, setListOpen] = useState(false)
  const isOpen = open !== null && !open.lost
  // A passage of 'What was read', which is no evidence of an answer.
  const { reading, close: closeReading } = useReaderEntry()
  const isReading = reading !== null
  const show = useCallback(
    ({ id: evidence, lost }: StoredEvidence) => {
      if (lost) void navigate({ to: pages.lostPlaces(address) })
      else onSearch({ conversation: id, evidence }, { replace: isOpen || isReading })
    },
    [navigate, address, onSearch, id, isOpen, isReading],
  )
  const close = () => onSearch({ conversation: id }, { replace: true })
  const startFresh = () => {
    setListOpen(false)
    setChosen(null)
    asking.clear()
    onSearch({})
  }
  const ask = (question: string) => {
    setPointedAt(null)
    void asking.ask(isMissing ? null : (id ?? null), { question, again: null, ...settings })
  }
  const { ask: askIn } = asking
  const askAgain = useCallback(
    (message: ConversationMessage) => {
      setPointedAt(null)
      const isUnstored = message.id === UNSTORED
      const again = isUnstored ? null : { messageId: message.id, isStored: message.answer?.cached ?? false }
      void askIn(id ?? null, { question: message.question, again, ...settingsOf(message) })
    },
    [askIn, id],
  )
  const isBusy = asking.running !== null && asking.running.failure === null
  const isStoredBusy = !running && last?.status === 'answering'
  const mayContinue = mayAsk && (conversation?.is_mine ?? id === undefined)
  const list = (
    <ConversationList
      project={project}
      currentId={id}
      mayAsk={mayAsk}
      onChoose={() => {
        setListOpen(false)
        setChosen(null)
      }}
      onStartFresh={startFresh}
    />
  )
  return (
    <main className={styles.ask} data-beside={isOpen || isReading || undefined}>
      <h1 className="sr-only">Ask</h1>
      <nav className={styles.list} aria-label="Conversations">
        {list}
      </nav>
      <section className="flex min-h-0 min-w-0 flex-col" aria-label="Conversation">
        <div className={styles.bar}>
          <Button variant="ghost" onClick={() => setListOpen(true)}>
            <List aria-hidden />
            Conversations
          </Button>
          {conversation ? <ConversationMenu conversation={conversation} onGone={startFresh} /> : null}
          {mayAsk ? (
            <Button variant="ghost" className="ml-auto" onClick={startFresh}>
              <Plus aria-hidden />
              Start fresh
            </Button>
          ) : null}
        </div>
        <Thread
          key={conversation?.id ?? 'new'}
          project={project}
          query={id === undefined ? null : { ...loaded, data: conversation }}
          messages={messages}
          running={running}
          pointed={pointed && { messageId: pointed.message.id, index: pointed.index }}
          open={open}
          onPoint={onPoint}
          onOpen={show}
          onAsk={mayContinue && !isBusy ? ask : null}
          onRunAgain={mayContinue && !isBusy ? askAgain : null}
        />
        <EvidenceStrip pointed={pointed} address={project.address} openId={search.evidence} onOpen={show} />
        <AskField
          project={project}
          conversation={conversation}
          mayAsk={mayAsk}
          settings={settings}
          onSettings={setChosen}
          isBusy={running ? isBusy : isStoredBusy}
          isElsewhereBusy={isBusy && !running}
          isStopping={running?.stopping ?? false}
          onAsk={ask}
          onStop={() => asking.stop(isStoredBusy ? last.id : null)}
        />
      </section>
      <EvidenceColumn pointed={pointed} address={project.address} openId={search.evidence} onOpen={show}>
        <NoEvidence
          project={project}
          isRefused={last?.answer ? hasOnlyNearest(last.answer) : false}
          leavesOutRetracted={settings.leaveOutRetracted}
        />
      </EvidenceColumn>
      {reading?.paper ? (
        <ReaderPanel
          key={`passage ${reading.documentId}`}
          documentId={reading.documentId}
          passage={reading.passage}
          paper={{ ...reading.paper, back: 'Back to the answer' }}
          onClose={closeReading}
        />
      ) : isOpen ? (
        <ReaderPanel
          key={open.document_id}
          documentId={open.document_id}
          passage={open}
          paper={{
            title: titleOfPaper(messages, open.document_id),
            address: pages.document(address, open.document_id),
            back: 'Back to the answer',
          }}
          onClose={close}
        />
      ) : null}
      <Sheet open={isListOpen} onOpenChange={setListOpen} title="Conversations" side="left">
        {list}
      </Sheet>
    </main>
  )
}

/** Returns the settings of a question: its papers, and whether retracted papers are left out. The next question uses them. */
const settingsOf = ({ scope, leave_out_retracted }: ConversationMessage): AskSettings => ({
  scope,
  leaveOutRetracted: leave_out_retracted,
})

/**
 * Returns the sentence of an answer that the user points at (`at`), else the first sentence of the last answer. Returns null if
 * there is no sentence or if the last answer has only the nearest passages.
 */
function pointedSentence(messages: ConversationMessage[], at: { messageId: string; index: number } | null) {
  const named = messages.find(({ id }) => id === at?.messageId)
  if (at && named?.answer?.sentences[at.index]) return { message: named, index: at.index }
  const last = messages.findLast(({ answer }) => answer && (answer.sentences.length > 0 || hasOnlyNearest(answer)))
  return last?.answer?.sentences[0] ? { message: last, index: 0 } : null
}
