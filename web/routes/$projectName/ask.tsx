import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { AskPage, askSearch } from '#web/conversations/index.ts'
import type { AskSearch } from '#web/conversations/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/ask')({
  validateSearch: (search) => askSearch.parse(search),
  component: Ask,
})

function Ask() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const onSearch = useCallback(
    (next: AskSearch, { replace } = { replace: false }) => void navigate({ search: next, replace, resetScroll: false }),
    [navigate],
  )
  return <ProjectGate>{(project) => <AskPage project={project} search={search} onSearch={onSearch} />}</ProjectGate>
}
