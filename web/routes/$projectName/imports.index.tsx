import { createFileRoute } from '@tanstack/react-router'
import { importsSearch, ImportsPage } from '#web/imports/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/imports/')({
  validateSearch: (search) => importsSearch.parse(search),
  component: Imports,
})

function Imports() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <ImportsPage
          project={project}
          search={search}
          onSearch={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </ProjectGate>
  )
}
