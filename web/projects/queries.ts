import { queryOptions, useMutation } from '@tanstack/react-query'
import { api } from '#shared/paths.ts'
import { project, tag } from '#shared/projects.ts'
import type { Project, ProjectInput, ProjectPatch } from '#shared/projects.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const KEY = 'projects'
/** Mutations with this key draw the veil over the page while they run. */
export const PROJECT_MUTATION = ['project']
const FETCH_TIMEOUT_MS = 5000

/** The caller's projects, newest first. */
export const projectsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => request(api.projects(), { schema: many(project), signal }),
})

/** One project by its address name (case does not matter); null when the caller has none of that name. */
export const projectByName = (name: string) =>
  queryOptions({
    queryKey: [KEY, 'by-name', name],
    queryFn: async ({ signal }): Promise<Project | null> =>
      (await request(api.projects({ name }), { schema: many(project), signal: limited(signal) }))[0] ?? null,
    retry: false,
  })

/** One project by id, within 5000 ms. */
export const projectById = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'by-id', id],
    queryFn: ({ signal }) => request(api.project(id), { schema: one(project), signal: limited(signal) }),
    retry: false,
  })

/** The caller's tags by name. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: ({ signal }) => request(api.tags(), { schema: many(tag), signal }),
})

const refresh = () => Promise.all([KEY, 'tags'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

export const useCreateProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: (input: ProjectInput) => request(api.projects(), { method: 'POST', body: input, schema: one(project) }),
    onSuccess: refresh,
  })

export const useUpdateProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: ({ id, patch }: { id: string; patch: ProjectPatch }) =>
      request(api.project(id), { method: 'PATCH', body: patch, schema: one(project) }),
    onSuccess: refresh,
  })

export const useDeleteProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: (id: string) => request(api.project(id), { method: 'DELETE', schema: anything }),
    onSuccess: refresh,
  })

/** The project as the server has it now, for a check just before something is lost. */
export const fetchProjectNow = (id: string) => queryClient.query({ ...projectById(id), staleTime: 0 })

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
