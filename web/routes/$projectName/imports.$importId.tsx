import { createFileRoute } from '@tanstack/react-router'
import { importSearch, ImportPage } from '#web/imports/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/imports/$importId')({
  validateSearch: (search) => importSearch.parse(search),
  component: Import,
})

function Import() {
  const { importId } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <ImportPage
          key={importId}
          project={project}
          id={importId}
          search={search}
          onSearch={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </ProjectGate>
  )
}
