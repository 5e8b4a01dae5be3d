import { useQuery } from '@tanstack/react-query'
import { DRIVE_AUTH_FAILED } from '#shared/contract/drive.ts'
import { messageOf } from '#web/lib/api.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { driveQuery, startAuthorization } from './authorization.ts'

/**
 * Returns a function that redirects to Google's authorization page. After the authorization, files can be imported into
 * `projectId`. Returns null if Google Drive is not configured.
 */
export function useAuthorize(projectId: string | null): (() => void) | null {
  const settings = useQuery({ ...driveQuery, enabled: useFirstAnswers() }).data
  if (!settings) return null
  return () =>
    void startAuthorization(settings, projectId).catch((error: unknown) =>
      toast({ title: DRIVE_AUTH_FAILED, description: messageOf(error), destructive: true }),
    )
}
