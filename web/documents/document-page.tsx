import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { documentQuery } from '#web/lib/document-queries.ts'
import { Interruptible } from '#web/lib/interruptible.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Alert, Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import styles from './document.module.css'
import { lastList } from './last-list.ts'

export interface ShownDocument {
  document: DocumentDetail
  project: Project
  /** The link to the list of documents. */
  back: ReactNode
  /** A warning if the document was deleted while its form is open; otherwise null. */
  deleted: ReactNode
}

/**
 * Loads a document of a project and renders `children` with it. Shows 'Document not found' if the project has no such document.
 * If the document is deleted while it is shown, 'Document not found' replaces `children`. With `isForm`, `children` stay
 * instead, so that the user can copy the typed text.
 */
export function DocumentPage({
  project,
  id,
  isForm = false,
  children,
}: {
  project: Project
  id: string
  isForm?: boolean
  children: (shown: ShownDocument) => ReactNode
}) {
  const document = useQuery(documentQuery(id))
  const missing = document.error instanceof ApiError && document.error.status === 404
  useTitle(document.data && documentTitle(document.data))
  const back = (
    <Link to={pages.documents(project.address) + lastList(project.id)} className="back-link">
      ← Back to documents
    </Link>
  )
  const loading = (
    <Page>
      <div className={styles.actionRow}>{back}</div>
      <SpinnerRow>
        <Spinner label="Loading document" />
      </SpinnerRow>
    </Page>
  )
  if (document.isPending) return loading
  // A document of another project is not found here.
  if (!document.data || document.data.project_id !== project.id || (missing && !isForm))
    return (
      <Page>
        <Notice>
          <h1>{document.error && !missing ? messageOf(document.error) : 'Document not found'}</h1>
          {document.error && !missing ? <Button onClick={() => void document.refetch()}>Retry</Button> : null}
          <Link className="text-link" to={pages.documents(project.address)}>
            Back to documents
          </Link>
        </Notice>
      </Page>
    )
  const deleted = missing ? (
    <Alert role="alert">
      <span>
        This document was deleted. To save your changes, first restore it{' '}
        <Link className="text-link" to={pages.deleted()} target="_blank">
          under Recently deleted, in a new tab
        </Link>
        .
      </span>
    </Alert>
  ) : null
  return (
    <Interruptible fallback={loading}>{children({ document: document.data, project, back, deleted })}</Interruptible>
  )
}
