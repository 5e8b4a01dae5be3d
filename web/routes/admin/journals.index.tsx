import { createFileRoute } from '@tanstack/react-router'
import { JournalsPage, journalsSearch } from '#web/journals/index.ts'

export const Route = createFileRoute('/admin/journals/')({
  validateSearch: (search) => journalsSearch.parse(search),
  component: Journals,
})

function Journals() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <JournalsPage
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: next.page !== search.page })}
    />
  )
}
