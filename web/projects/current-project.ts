import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pages } from '#shared/paths.ts'
import type { Project } from '#shared/projects.ts'
import { useSession } from '#web/auth/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { logWarning } from '#web/lib/log.ts'
import { toast } from '#web/lib/toasts.tsx'
import { forgetName, projectById, projectByName, rememberName } from './queries.ts'
import { storeProjectId, useStoredProjectId } from './stored-project.ts'

/** The project that the address names, or else the one chosen last; undefined while unknown, null when none is selected. */
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

/** What is known of it: reading it again in vain takes nothing away, unless it is gone. */
function readProject({ data, error }: { data: Project | null | undefined; error: Error | null }) {
  if (error && (data === undefined || isGone(error))) return null
  return data
}

/**
 * Selects the project of the address, and lets a selection go whose project cannot be fetched within 5000 ms: the stored
 * id is cleared and the user sent to /projects, except from pages that need no project. A project that is there already
 * stays when it cannot be read again: nobody is sent away from their work for that.
 */
export function useProjectKeeper(): void {
  const { projectName } = useParams({ strict: false })
  const pathname = useLocation({ select: (location) => location.pathname })
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
  const dealtWith = useRef<Error | null>(null)
  const { data, error: failure } = projectName === undefined ? stored : named
  const isThere = Boolean(data)

  useEffect(() => {
    if (namedId) storeProjectId(namedId)
  }, [namedId])

  useEffect(() => {
    // A failure is dealt with once: leaving the page afterwards is no second one.
    if (!failure || dealtWith.current === failure) return
    dealtWith.current = failure
    logWarning('The current project could not be fetched:', failure)
    // A project that is gone needs no alarm; one that cannot be reached does.
    if (!isGone(failure))
      toast({ title: 'Error fetching current project', description: wordsOf(failure), destructive: true })
    if (isThere && !isGone(failure)) return
    storeProjectId(null)
    if (!needsNoProject(pathname)) void navigate({ to: pages.projects(), replace: true })
  }, [failure, isThere, pathname, navigate])
}

/** Leads from the address of a project that was renamed elsewhere to its new one; the page stays as it is. */
function useRenamedAddress(addressName: string | undefined, project: Project | null | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (addressName === undefined || !project || isSameName(addressName, project.name)) return
    rememberName(project)
    const { pathname, search, hash } = location
    const href = pathname.replace(/^\/[^/]*/, pages.project(project.name)) + search + hash
    void navigate({ href, replace: true }).then(() => forgetName(addressName))
  }, [addressName, project, navigate])
}

const isSameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

const isGone = (failure: Error) => failure instanceof ApiError && failure.status === 404

const needsNoProject = (path: string) =>
  /^\/(projects(\/deleted)?|test-projects|profile|settings|terms|privacy|cookies|(auth|admin)(\/.*)?)\/?$/.test(path)

const wordsOf = (failure: Error) =>
  failure.name === 'TimeoutError' ? 'The server took longer than 5 seconds to answer.' : messageOf(failure)
