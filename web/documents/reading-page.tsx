import { TriangleAlert } from 'lucide-react'
import type { Project } from '#shared/contract/projects.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import { LostPlacesNote } from '#web/evidence/index.ts'
import { useActiveJobs } from '#web/lib/jobs.ts'
import { useMay } from '#web/lib/rights.tsx'
import { JobStrip, TextOfferNote, TextWarningNote } from '#web/processing/index.ts'
import { ReaderPanel } from '#web/reader/index.ts'
import { Alert } from '#web/ui/marks.tsx'
import { Page } from '#web/ui/page.tsx'
import { DocumentActions } from './document-actions.tsx'
import { statusReason, vectorFailure } from './document-failure.ts'
import styles from './document.module.css'
import { PaperHead } from './paper-head.tsx'
import { ReadingView } from './reading-view.tsx'
import { useBeside } from './use-beside.ts'
import { WithoutFile } from './without-file.tsx'
import { DocumentPage, type ShownDocument } from './document-page.tsx'

/** The page of a paper: its bibliographic data, its text or abstract, and the reader beside them. */
export function ReadingPage({ project, id }: { project: Project; id: string }) {
  return (
    <DocumentPage project={project} id={id}>
      {(shown) => <Reading {...shown} />}
    </DocumentPage>
  )
}

function Reading({ document, project, back }: ShownDocument) {
  const { shown, isOpen, show, showPages, close } = useBeside(document.id)
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
          {statusReason(document) ?? 'The last step failed.'}
        </Alert>
      ) : null}
      {document.status !== 'error' && document.vector_error !== null && jobs.length === 0 ? (
        <Alert>
          <TriangleAlert aria-hidden />
          {vectorFailure(document.vector_error)}
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
