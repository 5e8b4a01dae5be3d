import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import { LostPlacesNote } from '#web/evidence/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { documentQuery } from '#web/lib/document-queries.ts'
import { useActiveJobs } from '#web/lib/jobs.ts'
import { useMay } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { JobStrip, TextOfferNote, TextWarningNote } from '#web/processing/index.ts'
import { ReaderPanel } from '#web/reader/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Alert, Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import { DocumentActions } from './document-actions.tsx'
import styles from './document.module.css'
import { EditForm } from './edit-form.tsx'
import { PaperHead } from './paper-head.tsx'
import { ReferenceForm } from './reference-form.tsx'
import { ReferenceView } from './reference-view.tsx'
import { ReadingView } from './reading-view.tsx'
import { useBeside } from './use-beside.ts'
import { WithoutFile } from './without-file.tsx'

/** A document of a project: the reading view, the edit form or the reference. */
export function DocumentPage({
  project,
  id,
  mode,
}: {
  project: Project
  id: string
  mode: 'read' | 'edit' | 'reference'
}) {
  const document = useQuery(documentQuery(id))
  const missing = document.error instanceof ApiError && document.error.status === 404
  useTitle(document.data && documentTitle(document.data))
  const back = (
    <Link to={pages.documents(project.address)} className="back-link">
      ← Back to documents
    </Link>
  )
  if (document.isPending)
    return (
      <Page>
        <div className={styles.actionRow}>{back}</div>
        <SpinnerRow>
          <Spinner label="Loading document" />
        </SpinnerRow>
      </Page>
    )
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
  const props = { document: document.data, project, back }
  if (mode === 'read') return <Reading {...props} />
  return mode === 'edit' ? <Editing {...props} /> : <ReferencePage {...props} />
}

interface ModeProps {
  document: DocumentDetail
  project: Project
  back: ReactNode
}

function Reading({ document, project, back }: ModeProps) {
  const { shown, isOpen, show, showPages, close } = useBeside()
  const jobs = useActiveJobs(document.id).data ?? []
  const mayEdit = useMay('edit')
  return (
    <Page className={isOpen ? styles.besideReader : undefined}>
      <div className={styles.actionRow}>
        {back}
        <DocumentActions document={document} project={project} jobs={jobs} onRead={showPages} />
      </div>
      {document.status === 'error' && jobs.length === 0 ? (
        <Alert>
          <TriangleAlert aria-hidden />
          {document.status_message ?? 'The last step failed.'}
        </Alert>
      ) : null}
      {document.text_warning && hasWords(document.extracted_text) && jobs.length === 0 ? (
        <TextWarningNote warning={document.text_warning} />
      ) : null}
      {mayEdit && document.text_offer && jobs.length === 0 ? (
        <TextOfferNote document={document} offer={document.text_offer} />
      ) : null}
      {document.embedding_stale && jobs.length === 0 ? (
        <Alert>
          This document was vectorized with another model than the current one. Questions are answered by words only
          until it is vectorized again in the background.{mayEdit ? ' Force Re-vectorize does this now.' : null}
        </Alert>
      ) : null}
      <LostPlacesNote project={project} documentId={document.id} />
      <JobStrip jobs={jobs} />
      <PaperHead document={document} shown={shown} onShow={show} onRead={showPages} />
      {document.source_url === null ? <WithoutFile document={document} jobs={jobs} /> : null}
      <ReadingView document={document} address={project.address} shown={shown} onShow={show} />
      {isOpen ? <ReaderPanel documentId={document.id} passage={shown} onClose={close} /> : null}
    </Page>
  )
}

function Editing({ document, project, back }: ModeProps) {
  const navigate = useNavigate()
  return (
    <Page>
      <div className={styles.actionRow}>{back}</div>
      <EditForm
        document={document}
        onDone={() => void navigate({ to: pages.document(project.address, document.id) })}
      />
    </Page>
  )
}

/** The reference of a document: a form for members who may edit. */
function ReferencePage({ document, project }: ModeProps) {
  const navigate = useNavigate()
  const mayEdit = useMay('edit')
  const paper = pages.document(project.address, document.id)
  return (
    <Page>
      <div className={styles.actionRow}>
        <Link to={paper} className="back-link">
          ← Back to the paper
        </Link>
      </div>
      {mayEdit ? (
        <ReferenceForm document={document} project={project} onDone={() => void navigate({ to: paper })} />
      ) : (
        <ReferenceView document={document} project={project} />
      )}
    </Page>
  )
}
