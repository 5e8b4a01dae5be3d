import { createFileRoute } from '@tanstack/react-router'
import { UsagePage, usageSearch } from '#web/usage/index.ts'

export const Route = createFileRoute('/admin/usage')({
  validateSearch: (search) => usageSearch.parse(search),
  component: Usage,
})

function Usage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <UsagePage
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
    />
  )
}
