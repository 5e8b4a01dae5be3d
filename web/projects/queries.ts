import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '#shared/contract/paths.ts'
import { project, tag } from '#shared/contract/projects.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ApiError, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** First element of the query keys of projects. */
export const KEY = 'projects'
const byName = (name: string) => [KEY, 'by-name', name]
/** Mutations with this key show the loading overlay. */
export const PROJECT_MUTATION = ['project']
const FETCH_TIMEOUT_MS = 5000

/** The user's projects, newest first. */
export const projectsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => request(api.projects(), { schema: many(project), signal }),
})

/**
 * A project by its address (case-insensitive); null if the user has no such project. A cached project stays
 * after a rename elsewhere, even if another project gets the name.
 */
export const projectByName = (name: string) =>
  queryOptions({
    queryKey: byName(name),
    queryFn: async ({ signal }): Promise<Project | null> => {
      const before = queryClient.getQueryData<Project | null>(byName(name))
      const schema = many(project)
      const [found = null] = await request(api.projects({ address: name }), { schema, signal: limited(signal) })
      if (!before || found?.id === before.id) return found
      return request(api.project(before.id), { schema: one(project), signal: limited(signal) }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return found
          throw error
        },
      )
    },
    retry: false,
  })

/** Caches a renamed project under its new address, so that its page shows no loading state. */
export const rememberName = (renamed: Project) => queryClient.setQueryData(byName(renamed.address), renamed)

/** Removes the name from the cache, because another project may have it now. */
export const forgetName = (name: string) => queryClient.removeQueries({ queryKey: byName(name), exact: true })

/** A project by id, with a timeout of 5000 ms. */
export const projectById = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'by-id', id],
    queryFn: ({ signal }) => request(api.project(id), { schema: one(project), signal: limited(signal) }),
    retry: false,
  })

/** The user's tags, by name. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: ({ signal }) => request(api.tags(), { schema: many(tag), signal }),
})

/** The number of unassigned documents. */
export const unassignedCountQuery = queryOptions({
  queryKey: ['documents', 'none', 'count'],
  queryFn: async ({ signal }) =>
    (await request(api.documents({ project_id: 'none', limit: 1 }), { schema: counted, signal })).count,
})

const counted = z.object({ count: z.number().int() })

/**
 * Fetches the current project from the server for a check before a deletion. Separate from `projectById`, whose failure
 * would clear the selection.
 */
export const fetchProjectNow = (id: string) =>
  request(api.project(id), { schema: one(project), signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
