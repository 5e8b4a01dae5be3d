import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { DuplicatesPage } from '#web/duplicates/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/duplicates')({
  validateSearch: z.object({ page: z.coerce.number().int().min(2).optional().catch(undefined) }),
  component: Duplicates,
})

function Duplicates() {
  const { page = 1 } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <DuplicatesPage
          project={project}
          page={page}
          onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
        />
      )}
    </ProjectGate>
  )
}
