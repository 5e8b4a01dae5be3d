import { createFileRoute } from '@tanstack/react-router'
import { FeedPage, feedSearch } from '#web/feeds/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/feed')({
  validateSearch: (search) => feedSearch.parse(search),
  component: Feed,
})

function Feed() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <FeedPage
          project={project}
          search={search}
          onSearch={(next, replace = next.page === search.page) =>
            void navigate({ search: next, replace, resetScroll: false })
          }
        />
      )}
    </ProjectGate>
  )
}
