import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { documentConversationsQuery } from '#web/conversations/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { PdfReader, ReaderFailure, ReaderLoading } from '#web/reader/index.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/marks.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import styles from './chat.module.css'
import { Conversation } from './conversation.tsx'
import { chatDocument } from './queries.ts'

const NO_DOCUMENT = 'No document selected. Please select a document first.'

export interface ChatScreenProps {
  /** Document id from the route or from the query parameter `documentId`; null without one. */
  documentId: string | null
  /** The project in the URL. A document of another project counts as not found. */
  project: Pick<Project, 'id' | 'address'>
}

/** Chat with PDF: the pages on the left, the conversation on the right. */
export function ChatScreen({ documentId, project }: ChatScreenProps) {
  const { address } = project
  const navigate = useNavigate()
  useEffect(() => {
    if (documentId) return
    toast({ title: 'Error', description: NO_DOCUMENT, destructive: true })
    void navigate({ to: pages.documents(address), replace: true })
  }, [documentId, address, navigate])
  if (!documentId) return null
  // The key resets pages, canvases and messages when the document changes.
  return <DocumentChat key={documentId} documentId={documentId} project={project} />
}

function DocumentChat({ documentId, project }: { documentId: string; project: Pick<Project, 'id' | 'address'> }) {
  const { data: document, error, refetch } = useQuery(chatDocument(documentId))
  const [pageCount, setPageCount] = useState<number | null>(null)
  const [shown, setShown] = useState<FoundPassage | null>(null)
  const mayAsk = useMay('ask')
  const isReady = !document || document.vectorized_at !== null
  const stored = useQuery({ ...documentConversationsQuery(documentId), enabled: !isReady }).data
  // A new text removes the vectors. The conversation, a running answer and a typed question then stay on the screen.
  const [wasReady, setWasReady] = useState(false)
  if (document?.vectorized_at && !wasReady) setWasReady(true)
  const hasConversation = wasReady || (stored !== undefined && stored.length > 0) || (document && !mayAsk)
  // A copy, so that a second click on the same link scrolls again.
  const show = useCallback((passage: FoundPassage) => setShown({ ...passage }), [])
  const count = pageCount ?? document?.page_count ?? null
  const title = document ? documentTitle(document) : undefined
  useTitle(title)
  const back = pages.document(project.address, documentId)
  const reasonId = useId()

  const elsewhere = document !== undefined && document.project_id !== project.id
  const missing = elsewhere || (error instanceof ApiError && error.status === 404)
  // A failed refetch leaves the conversation on the screen.
  if (missing || (error && !document)) {
    return (
      <div className="flex h-[calc(100dvh-var(--header))] min-h-0 flex-1 flex-col overflow-hidden">
        {missing ? (
          <ReaderFailure
            message="Document not found"
            about="It may have been deleted, or it belongs to another project."
          >
            <Button asChild>
              <Link to={pages.documents(project.address)}>Go to the documents</Link>
            </Button>
          </ReaderFailure>
        ) : (
          <ReaderFailure message={messageOf(error)} onRetry={() => void refetch()} />
        )}
      </div>
    )
  }
  return (
    <div className="flex h-[calc(100dvh-var(--header))] min-h-0 flex-1 flex-col overflow-hidden">
      <header className={styles.head}>
        <Link to={back} className={cn(styles.backLink, 'back-link')}>
          <ArrowLeft aria-hidden="true" />
          Back to document
        </Link>
        <h1>{title ?? <Skeleton />}</h1>
        {document ? <PaperMarks retracted={document.retracted} /> : null}
        <span className="flex-none whitespace-nowrap text-muted-foreground lining-nums tabular-nums max-md:ml-auto">
          {count === null ? null : `${count} page(s)`}
        </span>
      </header>
      <div className={styles.split}>
        <section
          className="flex min-h-0 flex-col border-r border-border max-md:border-r-0 max-md:border-b"
          aria-label="Document"
        >
          {!document ? (
            <ReaderLoading />
          ) : document.source_url === null ? (
            <ReaderFailure
              message="Document source URL not found"
              about="This paper has no PDF yet. Upload one on its page."
            />
          ) : (
            <PdfReader source={api.documentFile(documentId)} target={shown} onPageCount={setPageCount} />
          )}
        </section>
        <section className="flex min-h-0 min-w-0 flex-col" aria-label="Chat">
          {mayAsk && !isReady ? (
            <div className={hasConversation ? 'flex-none border-b border-border px-7 py-4 max-md:px-4' : styles.thread}>
              <NotReady id={reasonId} withoutFile={document?.source_url === null}>
                <Button asChild variant="primary">
                  <Link to={back}>Go to the document</Link>
                </Button>
              </NotReady>
            </div>
          ) : null}
          {hasConversation ? (
            <Conversation
              documentId={documentId}
              lockedBy={isReady ? undefined : reasonId}
              shown={shown}
              onShow={show}
            />
          ) : null}
        </section>
      </div>
    </div>
  )
}

/**
 * Shown for a document without embeddings, which cannot be searched; above the conversations about it, if there are any. `id`
 * is the id of the explanation.
 */
function NotReady({ id, withoutFile, children }: { id: string; withoutFile: boolean; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{withoutFile ? 'No PDF yet' : 'Not vectorized yet'}</h2>
      <p id={id}>
        Answers are built from the paper’s own passages.{' '}
        {withoutFile
          ? 'Upload the PDF of this document and vectorize it on its page, then come back and ask.'
          : 'Vectorize the document on its page, then come back and ask.'}
      </p>
      {children}
    </div>
  )
}
