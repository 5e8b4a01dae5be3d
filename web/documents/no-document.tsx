import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Notice, Page } from '#web/ui/page.tsx'

/** Shown if the URL of a document page contains no document id. */
export function NoDocument({ project }: { project: Project }) {
  useTitle('Document ID is required')
  return (
    <Page>
      <Notice>
        <h1>Document ID is required</h1>
        <p>The address contains no document ID. Choose a document of this project.</p>
        <Link className="text-link" to={pages.documents(project.address)}>
          Back to documents
        </Link>
      </Notice>
    </Page>
  )
}
