import { useTitle } from '#web/lib/use-title.ts'
import { BackToProjects } from '#web/projects/index.ts'

/** Placeholder for the reports of a project. */
export function ReportsPage() {
  useTitle('Reports')
  return (
    <main className="page">
      <BackToProjects />
      <div className="head">
        <h1>Reports</h1>
      </div>
      <p className="quiet border-t-[1.5px] border-rule pt-4">Generate and publish reports on your research topic.</p>
    </main>
  )
}
