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
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import styles from './document.module.css'
import { lastList } from './last-list.ts'

export interface ShownDocument {
  document: DocumentDetail
  project: Project
  /** The link to the list of documents. */
  back: ReactNode
}

/** Loads a document of a project and renders it with `children`. */
export function DocumentPage({
  project,
  id,
  children,
}: {
  project: Project
  id: string
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
  if (!document.data || document.data.project_id !== project.id)
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
  return <Interruptible fallback={loading}>{children({ document: document.data, project, back })}</Interruptible>
}
