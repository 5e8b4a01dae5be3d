import type { Project } from '#shared/projects.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackToProjects } from '#web/projects/index.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The articles of the journals that the project follows. */
export function FeedPage({ project }: { project: Project }) {
  useTitle(`Feed · ${project.name}`)
  return (
    <main className="page">
      <BackToProjects />
      <div className="head">
        <h1>Feed</h1>
      </div>
      <EmptyState
        title="No articles yet."
        about={`New articles of the journals that ${project.name} follows are listed here, newest first. It follows none so far.`}
      />
    </main>
  )
}
