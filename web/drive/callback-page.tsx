import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { DRIVE_AUTH_FAILED, DRIVE_LIST_FAILED, driveFile } from '#shared/contract/drive.ts'
import { functionPath, pages } from '#shared/contract/paths.ts'
import { useSession } from '#web/auth/index.ts'
import { messageOf, request } from '#web/lib/api.ts'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { projectsQuery, useCurrentProject } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import { redirectUri, takePending } from './authorization.ts'
import { DriveDialog } from './drive-dialog.tsx'
import { useAuthorize } from './use-authorize.ts'

const opened = z.object({ files: z.array(driveFile), accessToken: z.string() })

const WRONG_STATE = 'Invalid authentication state. Please try again.'
const NO_CODE = 'No authorization code received from Google'
/** Returns true if the error message says which step failed. Messages about a lost connection do not. */
const hasOwnWords = (error: Error | null) =>
  [WRONG_STATE, NO_CODE, DRIVE_AUTH_FAILED, DRIVE_LIST_FAILED].some((words) => messageOf(error).startsWith(words))

/**
 * The page /auth/callback/google, to which Google redirects after the authorization. Checks the state, exchanges the code for
 * an access token and shows the drive. The access token is stored only in memory.
 */
export function DriveCallbackPage(answer: { code: string | undefined; state: string | undefined }) {
  useTitle('Google Drive')
  const session = useSession()
  if (session.state === 'checking')
    return (
      <Page>
        <Waiting>Checking authentication...</Waiting>
      </Page>
    )
  // The address is public, but reading a drive needs a session.
  if (session.state !== 'in')
    return (
      <Page>
        <Notice>
          <h1>No active session</h1>
          <p>Sign in, then start the import again from your project’s documents.</p>
          <Link to={pages.auth()}>Sign In</Link>
        </Notice>
      </Page>
    )
  return <OpenedDrive {...answer} />
}

function OpenedDrive({ code, state }: { code: string | undefined; state: string | undefined }) {
  const navigate = useNavigate()
  // In state, because StrictMode renders twice and the stored request can be read only once.
  const [pending] = useState(takePending)
  const current = useCurrentProject()
  const projects = useQuery(projectsQuery)
  const drive = useQuery({
    queryKey: ['drive', 'authorization', state ?? '', code ?? ''],
    queryFn: ({ signal }) => {
      if (!pending || !state || pending.state !== state) throw new Error(WRONG_STATE)
      if (!code) throw new Error(NO_CODE)
      return request(functionPath('google-drive-callback'), {
        method: 'POST',
        body: { code, redirectUri: redirectUri(), codeVerifier: pending.verifier },
        schema: opened,
        signal,
      })
    },
    retry: false,
    gcTime: 0,
    // A code is valid once: a refetch after a lost connection would fail and close the dialog.
    staleTime: 'static',
  })
  useErrorToast(hasOwnWords(drive.error) ? 'Error' : DRIVE_AUTH_FAILED, drive.error)
  const leave = () => void navigate({ to: pages.home() })
  const authorize = useAuthorize(pending?.projectId ?? current?.id ?? null)
  const target = projects.data?.find(({ id }) => id === pending?.projectId) ?? current
  const project = target?.may.includes('edit') ? target : null

  if (drive.isPending || (pending?.projectId && projects.isPending))
    return (
      <Page>
        <Waiting>Opening Google Drive...</Waiting>
      </Page>
    )
  if (drive.isError)
    return (
      <Page>
        <Notice>
          <h1>Google Drive could not be opened</h1>
          <p className="wrap-anywhere">{messageOf(drive.error)}</p>
          <p>Nothing was imported.</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {authorize ? (
              <Button variant="primary" onClick={authorize}>
                Authorize again
              </Button>
            ) : null}
            <Button onClick={leave}>Back to projects</Button>
          </div>
        </Notice>
      </Page>
    )
  return (
    <Page>
      <DriveDialog
        accessToken={drive.data.accessToken}
        rootFiles={drive.data.files}
        project={project}
        onClose={leave}
      />
    </Page>
  )
}
