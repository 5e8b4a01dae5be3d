import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useSession } from '#web/auth/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { logWarning } from '#web/lib/log.ts'
import { toast } from '#web/lib/toasts.tsx'
import { forgetName, projectById, projectByName, rememberName } from './queries.ts'
import { storeProjectId, useStoredProjectId } from './stored-project.ts'

/**
 * Returns the project in the URL, or the last selected project if the URL contains none. Returns undefined while the project
 * loads. Returns null if the user is not signed in, if no project is selected, or if the project does not exist or could not be
 * fetched.
 */
export function useCurrentProject(): Project | null | undefined {
  const { projectName } = useParams({ strict: false })
  const signedIn = useSession().state === 'in'
  const storedId = useStoredProjectId()
  const named = useQuery({ ...projectByName(projectName ?? ''), enabled: signedIn && projectName !== undefined })
  const stored = useQuery({
    ...projectById(storedId ?? ''),
    enabled: signedIn && projectName === undefined && storedId !== null,
  })
  if (!signedIn) return null
  if (projectName !== undefined) return readProject(named)
  return storedId === null ? null : readProject(stored)
}

/**
 * Returns the project of a query. After a failed refetch it returns the cached project, or null if the project no longer
 * exists.
 */
function readProject({ data, error }: { data: Project | null | undefined; error: Error | null }) {
  if (error && (data === undefined || isGone(error))) return null
  return data
}

/**
 * Stores the project in the URL as the selected project. If the project in the URL cannot be fetched within 5000 ms, clears the
 * selection and redirects to /projects. If the URL contains no project and the selected project cannot be fetched, only clears
 * the selection. If only a refetch of a loaded project fails, shows a toast and keeps the selection.
 */
export function useProjectKeeper(): void {
  const { projectName } = useParams({ strict: false })
  const navigate = useNavigate()
  const signedIn = useSession().state === 'in'
  const storedId = useStoredProjectId()
  const named = useQuery({ ...projectByName(projectName ?? ''), enabled: signedIn && projectName !== undefined })
  const stored = useQuery({
    ...projectById(storedId ?? ''),
    enabled: signedIn && projectName === undefined && storedId !== null,
  })
  const namedId = named.data?.id
  useRenamedAddress(projectName, named.data)
  const handled = useRef<Error | null>(null)
  const { data, error: failure } = projectName === undefined ? stored : named
  const isThere = Boolean(data)

  useEffect(() => {
    if (namedId) storeProjectId(namedId)
  }, [namedId])

  useEffect(() => {
    // Each failure is handled once, and not again after leaving the page.
    if (!failure || handled.current === failure) return
    handled.current = failure
    logWarning('The current project could not be fetched:', failure)
    // A deleted project needs no error message; an unreachable one does.
    if (!isGone(failure))
      toast({ title: 'Error fetching current project', description: wordsOf(failure), destructive: true })
    if (isThere && !isGone(failure)) return
    storeProjectId(null)
    if (projectName !== undefined) void navigate({ to: pages.projects(), replace: true })
  }, [failure, isThere, projectName, navigate])
}

/**
 * Redirects to the new URL if the project was renamed in another tab or by another member. The page does not lose its state.
 */
function useRenamedAddress(addressName: string | undefined, project: Project | null | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (addressName === undefined || !project || isSameName(addressName, project.address)) return
    rememberName(project)
    const { pathname, search, hash } = location
    const href = pathname.replace(/^\/[^/]*/, pages.project(project.address)) + search + hash
    void navigate({ href, replace: true, ignoreBlocker: true }).then(() => forgetName(addressName))
  }, [addressName, project, navigate])
}

const isSameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

const isGone = (failure: Error) => failure instanceof ApiError && failure.status === 404

const wordsOf = (failure: Error) =>
  failure.name === 'TimeoutError' ? 'The server took longer than 5 seconds to answer.' : messageOf(failure)
