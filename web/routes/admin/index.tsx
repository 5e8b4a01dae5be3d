import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage, peopleSearch } from '#web/people/index.ts'

export const Route = createFileRoute('/admin/')({
  validateSearch: (search) => peopleSearch.parse(search),
  component: Dashboard,
})

function Dashboard() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <DashboardPage
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: next.page !== search.page })}
    />
  )
}
