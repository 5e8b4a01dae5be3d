import { createFileRoute } from '@tanstack/react-router'
import { passageSearch } from '#shared/contract/search-address.ts'
import { ProjectGate } from '#web/projects/index.ts'
import { SearchPage } from '#web/search/index.ts'

export const Route = createFileRoute('/$projectName/search')({
  validateSearch: (search) => passageSearch.parse(search),
  component: Search,
})

function Search() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <SearchPage
          project={project}
          search={search}
          onSearch={(next) =>
            void navigate({ search: next, replace: Boolean(search.q && next.q !== search.q), resetScroll: false })
          }
        />
      )}
    </ProjectGate>
  )
}
