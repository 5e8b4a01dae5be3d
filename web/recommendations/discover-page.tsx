import type { Project } from '#shared/projects.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackToProjects } from '#web/projects/index.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Papers recommended for the project's research question. */
export function DiscoverPage({ project }: { project: Project }) {
  useTitle(`Discover · ${project.name}`)
  return (
    <main className="page">
      <BackToProjects />
      <div className="head">
        <h1>Discover</h1>
      </div>
      <EmptyState
        title="No recommendations yet."
        about={
          project.research_question
            ? 'Papers recommended for the research question of this project are listed here.'
            : 'Set a research question in your project settings to generate research.'
        }
      />
    </main>
  )
}
