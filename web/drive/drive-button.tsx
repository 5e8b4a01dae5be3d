import { CloudDownload } from 'lucide-react'
import type { Project } from '#shared/contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { useAuthorize } from './use-authorize.ts'

/** The button 'Import from Google Drive'. Renders nothing when Google Drive is not configured. */
export function DriveButton({ project }: { project: Project }) {
  const authorize = useAuthorize(project.id)
  if (!authorize) return null
  return (
    <Button onClick={authorize}>
      <CloudDownload aria-hidden />
      Import from Google Drive
    </Button>
  )
}
