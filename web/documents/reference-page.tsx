import { Link, useNavigate } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useMay } from '#web/lib/rights.tsx'
import { Page } from '#web/ui/page.tsx'
import styles from './document.module.css'
import { ReferenceForm } from './reference-form.tsx'
import { ReferenceView } from './reference-view.tsx'
import { DocumentPage, type ShownDocument } from './document-page.tsx'

/** The page of a document's reference: a form for members who may edit, otherwise a list of the fields. */
export function ReferencePage({ project, id }: { project: Project; id: string }) {
  const mayEdit = useMay('edit')
  return (
    <DocumentPage project={project} id={id} isForm={mayEdit}>
      {(shown) => <Reference {...shown} />}
    </DocumentPage>
  )
}

function Reference({ document, project, deleted }: Omit<ShownDocument, 'back'>) {
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
      {deleted}
      {mayEdit ? (
        <ReferenceForm document={document} project={project} onDone={() => void navigate({ to: paper })} />
      ) : (
        <ReferenceView document={document} project={project} />
      )}
    </Page>
  )
}
