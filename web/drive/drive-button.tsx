import { useQuery } from '@tanstack/react-query'
import { CloudDownload } from 'lucide-react'
import { DRIVE_AUTH_FAILED } from '#shared/drive.ts'
import type { Project } from '#shared/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { driveQuery, startAuthorisation } from './authorisation.ts'

/** 'Import from Google Drive' into a project; nothing where Drive is not set up. */
export function DriveButton({ project }: { project: Project }) {
  const settings = useQuery(driveQuery).data
  if (!settings) return null
  const start = () =>
    startAuthorisation(settings, project.id).catch((error: unknown) =>
      toast({ title: DRIVE_AUTH_FAILED, description: messageOf(error), destructive: true }),
    )
  return (
    <Button onClick={() => void start()}>
      <CloudDownload className="ic" aria-hidden />
      Import from Google Drive
    </Button>
  )
}
