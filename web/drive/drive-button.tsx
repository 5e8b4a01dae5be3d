import { CloudDownload } from 'lucide-react'
import type { Project } from '#shared/contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { useAuthorise } from './use-authorise.ts'

/** The button 'Import from Google Drive'. Renders nothing when Google Drive is not configured. */
export function DriveButton({ project }: { project: Project }) {
  const authorise = useAuthorise(project.id)
  if (!authorise) return null
  return (
    <Button onClick={authorise}>
      <CloudDownload aria-hidden />
      Import from Google Drive
    </Button>
  )
}
