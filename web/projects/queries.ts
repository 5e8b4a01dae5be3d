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
/** Mutation key of projects. While a mutation with this key runs, the loading overlay is shown. */
export const PROJECT_MUTATION = ['project']
const FETCH_TIMEOUT_MS = 5000

/** The user's projects, newest first. */
export const projectsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => request(api.projects(), { schema: many(project), signal }),
})

/**
 * Query: a project by its name in the URL, ignoring case; null if the user has no such project. If a loaded project is renamed,
 * a refetch with the old name still returns this project, even if another project has the old name now.
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

/**
 * Stores a renamed project in the cache under its new name (see `projectByName`), so that the page at the new URL does not load
 * the project again.
 */
export const rememberName = (renamed: Project) => queryClient.setQueryData(byName(renamed.address), renamed)

/** Removes the project with this name from the cache, because another project may have the name now. */
export const forgetName = (name: string) => queryClient.removeQueries({ queryKey: byName(name), exact: true })

/** Query: a project by id, with a timeout of 5000 ms. */
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

/** Query: the number of documents without a project. */
export const unassignedCountQuery = queryOptions({
  queryKey: ['documents', 'none', 'count'],
  queryFn: async ({ signal }) =>
    (await request(api.documents({ project_id: 'none', limit: 1 }), { schema: counted, signal })).count,
})

const counted = z.object({ count: z.number().int() })

/**
 * Fetches a project directly, to check it before a deletion. Does not use `projectById`, because a failure of that query would
 * clear the selection of the project.
 */
export const fetchProjectNow = (id: string) =>
  request(api.project(id), { schema: one(project), signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
