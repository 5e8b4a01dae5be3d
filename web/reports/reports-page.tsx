import { useTitle } from '#web/lib/use-title.ts'
import { BackToProjects } from '#web/projects/index.ts'
import { Page, PageHead } from '#web/ui/page.tsx'

/** A placeholder page for the reports of a project, which do not exist yet. */
export function ReportsPage() {
  useTitle('Reports')
  return (
    <Page>
      <BackToProjects />
      <PageHead>
        <h1>Reports</h1>
      </PageHead>
      <p className="text-muted-foreground border-t-[1.5px] border-rule pt-4">
        Generate and publish reports on your research topic.
      </p>
    </Page>
  )
}
