import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { documentRow } from '#shared/contract/documents.ts'
import { documentsMoved, type DocumentsMove } from '#shared/contract/document-edits.ts'
import { api } from '#shared/contract/paths.ts'
import { project, tag } from '#shared/contract/projects.ts'
import type { Project, ProjectInput, ProjectPatch } from '#shared/contract/projects.ts'
import { anything, ApiError, many, one, page, request, upload } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const KEY = 'projects'
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

/** Rows per page of the unassigned documents. */
export const UNASSIGNED_SIZES = [10, 25, 50] as const

/** One page of the unassigned documents. */
export const unassignedDocumentsQuery = (number: number, limit: number) =>
  queryOptions({
    queryKey: ['documents', 'none', number, limit],
    queryFn: ({ signal }) =>
      request(api.documents({ project_id: 'none', page: number, limit }), { schema: page(documentRow), signal }),
    placeholderData: keepPreviousData,
  })

const refresh = () => Promise.all([KEY, 'tags'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
const refreshDocuments = () =>
  Promise.all([KEY, 'documents', 'document-filters'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

/** A saved project, and the error if its image could not be saved. */
export interface SavedProject {
  project: Project
  pictureError: Error | null
}

/**
 * Creates a project from `input` or updates one, then sends its image: null removes the image, undefined keeps it.
 */
export const useSaveProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: async (
      form: ({ input: ProjectInput } | { id: string; patch: ProjectPatch }) & { picture: File | null | undefined },
    ): Promise<SavedProject> => {
      const { picture } = form
      const removal = picture === null ? { hero_image: null } : {}
      const schema = one(project)
      const saved = await ('id' in form
        ? request(api.project(form.id), { method: 'PATCH', body: { ...form.patch, ...removal }, schema })
        : request(api.projects(), { method: 'POST', body: { ...form.input, ...removal }, schema }))
      if (!picture) return { project: saved, pictureError: null }
      return upload(api.projectHeroImage(saved.id), { file: picture }, one(project)).then(
        (pictured) => ({ project: pictured, pictureError: null }),
        (error: unknown) => ({ project: saved, pictureError: error instanceof Error ? error : new Error() }),
      )
    },
    onSuccess: refresh,
  })

/** Mutation: changes a project. */
export const useUpdateProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: ({ id, patch }: { id: string; patch: ProjectPatch }) =>
      request(api.project(id), { method: 'PATCH', body: patch, schema: one(project) }),
    onSuccess: refresh,
  })

/** Mutation: moves a project to the trash. */
export const useDeleteProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: (id: string) => request(api.project(id), { method: 'DELETE', schema: anything }),
    onSuccess: refresh,
  })

const counted = one(z.object({ count: z.number().int() }))

/** Documents per request. They take a few seconds, so that no proxy ends the request. */
const MOVED_AT_ONCE = 100

/** Moves all documents from one project to another, in several requests. A null project means unassigned documents. */
export const useReassignDocuments = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: async ({ onMoved, ...move }: Omit<DocumentsMove, 'limit'> & { onMoved: (count: number) => void }) => {
      for (let count = 0; ;) {
        const body = { ...move, limit: MOVED_AT_ONCE }
        const moved = await request(api.documentsReassign(), { method: 'POST', body, schema: one(documentsMoved) })
        count += moved.count
        onMoved(count)
        if (!moved.has_more) return { count }
      }
    },
    // After an error, some documents may be moved.
    onSettled: refreshDocuments,
  })

/** Deletes all documents of a project. */
export const useDeleteAllDocuments = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: (id: string) => request(api.projectDocuments(id), { method: 'DELETE', schema: counted }),
    onSuccess: refreshDocuments,
  })

/** Moves a document to a project. `version`: the version of its row, so that a move elsewhere meanwhile is an error. */
export const useMoveDocument = () =>
  useMutation({
    mutationFn: ({ id, ...patch }: { id: string; project_id: string; version: number }) =>
      request(api.document(id), { method: 'PATCH', body: patch, schema: anything }),
    onSuccess: refreshDocuments,
  })

/**
 * Fetches the current project from the server for a check before a deletion. Separate from `projectById`, whose failure
 * would clear the selection.
 */
export const fetchProjectNow = (id: string) =>
  request(api.project(id), { schema: one(project), signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
