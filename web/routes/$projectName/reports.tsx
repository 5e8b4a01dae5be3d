import { createFileRoute } from '@tanstack/react-router'
import { ProjectGate } from '#web/projects/index.ts'
import { ReportsPage } from '#web/reports/index.ts'

export const Route = createFileRoute('/$projectName/reports')({
  component: () => <ProjectGate>{() => <ReportsPage />}</ProjectGate>,
})
