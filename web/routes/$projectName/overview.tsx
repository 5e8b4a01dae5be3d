import { createFileRoute } from '@tanstack/react-router'
import { DocumentStatuses } from '#web/documents/index.ts'
import { LostPlacesHint } from '#web/evidence/index.ts'
import { OverviewPage, ProjectGate } from '#web/projects/index.ts'
import { RecommendedPanel } from '#web/recommendations/index.ts'

export const Route = createFileRoute('/$projectName/overview')({
  component: () => (
    <ProjectGate>
      {(project) => (
        <OverviewPage
          project={project}
          statuses={<DocumentStatuses projectId={project.id} />}
          hint={<LostPlacesHint project={project} />}
          recommended={<RecommendedPanel project={project} />}
        />
      )}
    </ProjectGate>
  ),
})
