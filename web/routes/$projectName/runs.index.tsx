import { createFileRoute } from '@tanstack/react-router'
import { ProjectGate } from '#web/projects/index.ts'
import { RunsPage, runsSearch } from '#web/runs/index.ts'

export const Route = createFileRoute('/$projectName/runs/')({
  validateSearch: (search) => runsSearch.parse(search),
  component: Runs,
})

function Runs() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <RunsPage
          project={project}
          search={search}
          onSearch={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </ProjectGate>
  )
}
