import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { LostPlacesPage } from '#web/evidence/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/lost-places')({
  validateSearch: z.object({ page: z.coerce.number().int().min(2).optional().catch(undefined) }),
  component: LostPlaces,
})

function LostPlaces() {
  const { page = 1 } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProjectGate>
      {(project) => (
        <LostPlacesPage
          project={project}
          page={page}
          onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
        />
      )}
    </ProjectGate>
  )
}
