import { useQuery } from '@tanstack/react-query'
import { DRIVE_AUTH_FAILED } from '#shared/drive.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { driveQuery, startAuthorisation } from './authorisation.ts'

/**
 * Returns a function that leaves for Google's authorisation page, from where the browser comes back to import into
 * `projectId`; null where Google Drive is not set up.
 */
export function useAuthorise(projectId: string | null): (() => void) | null {
  const settings = useQuery(driveQuery).data
  if (!settings) return null
  return () =>
    void startAuthorisation(settings, projectId).catch((error: unknown) =>
      toast({ title: DRIVE_AUTH_FAILED, description: messageOf(error), destructive: true }),
    )
}
