import { createFileRoute } from '@tanstack/react-router'
import { AuditPage, auditSearch } from '#web/audit/index.ts'

export const Route = createFileRoute('/admin/audit')({
  validateSearch: (search) => auditSearch.parse(search),
  component: Audit,
})

function Audit() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AuditPage
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: next.page !== search.page })}
    />
  )
}
