import { createFileRoute } from '@tanstack/react-router'
import { DocumentsPage, documentsSearch, typesOn } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/documents')({
  validateSearch: (search) => documentsSearch.parse(search),
  component: Documents,
})

function Documents() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <DocumentsPage
          project={project}
          search={search}
          onSearch={(next) => void navigate({ search: next, replace: typesOn(search, next), resetScroll: false })}
        />
      )}
    </ProjectGate>
  )
}
