import { createFileRoute } from '@tanstack/react-router'
import { FeedPage } from '#web/feeds/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/feed')({
  component: () => <ProjectGate>{(project) => <FeedPage project={project} />}</ProjectGate>,
})
