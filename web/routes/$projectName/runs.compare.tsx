import { createFileRoute } from '@tanstack/react-router'
import { ProjectGate } from '#web/projects/index.ts'
import { comparisonSearch, ComparisonPage } from '#web/runs/index.ts'

export const Route = createFileRoute('/$projectName/runs/compare')({
  validateSearch: (search) => comparisonSearch.parse(search),
  component: Comparison,
})

function Comparison() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <ComparisonPage
          project={project}
          search={search}
          onShow={(show) => void navigate({ search: { ...search, show }, replace: true, resetScroll: false })}
        />
      )}
    </ProjectGate>
  )
}
