import { useNavigate } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { Page } from '#web/ui/page.tsx'
import styles from './document.module.css'
import { EditForm } from './edit-form.tsx'
import { DocumentPage, type ShownDocument } from './document-page.tsx'

/** The page with the edit form of a document. */
export function EditPage({ project, id }: { project: Project; id: string }) {
  return (
    <DocumentPage project={project} id={id} isForm>
      {(shown) => <Editing {...shown} />}
    </DocumentPage>
  )
}

function Editing({ document, project, back, deleted }: ShownDocument) {
  const navigate = useNavigate()
  return (
    <Page>
      <div className={styles.actionRow}>{back}</div>
      {deleted}
      <EditForm
        document={document}
        onDone={() => void navigate({ to: pages.document(project.address, document.id) })}
      />
    </Page>
  )
}
