import { useMutation } from '@tanstack/react-query'
import { documentsDeleted, documentsMoved, type DocumentsMove } from '#shared/contract/bulk-documents.ts'
import { api } from '#shared/contract/paths.ts'
import { project } from '#shared/contract/projects.ts'
import type { Project, ProjectInput, ProjectPatch } from '#shared/contract/projects.ts'
import { anything, ApiError, one, request, upload } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { KEY, PROJECT_MUTATION } from './queries.ts'

const refresh = () => Promise.all([KEY, 'tags'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
const refreshDocuments = () =>
  Promise.all([KEY, 'documents', 'document-filters'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

/** A saved project. `pictureError` is the error if its image could not be saved, otherwise null. */
export interface SavedProject {
  project: Project
  pictureError: Error | null
}

/**
 * Mutation: creates a project from `input`, or updates the project `id` with `patch`. If `picture` is a file, it is then
 * uploaded as the image of the project. Rejects with the error 'changed' if another member has changed the same fields since
 * the version in `patch`, or the image since `pictureVersion`. If only the upload of the image fails for another reason,
 * resolves with the reason in `pictureError`.
 */
export const useSaveProject = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: async (
      form: ({ input: ProjectInput } | { id: string; patch: ProjectPatch }) & {
        picture: File | null | undefined
        pictureVersion?: number
      },
    ): Promise<SavedProject> => {
      const { picture, pictureVersion } = form
      const schema = one(project)
      const saved = await ('id' in form
        ? request(api.project(form.id), { method: 'PATCH', body: form.patch, schema })
        : request(api.projects(), { method: 'POST', body: form.input, schema }))
      if (!picture) return { project: saved, pictureError: null }
      return upload(api.projectHeroImage(saved.id, pictureVersion), { file: picture }, one(project)).then(
        (pictured) => ({ project: pictured, pictureError: null }),
        (error: unknown) => {
          if (error instanceof ApiError && error.code === 'changed') throw error
          return { project: saved, pictureError: error instanceof Error ? error : new Error() }
        },
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

/**
 * Maximum number of documents per request. Moving them takes a few seconds, which is shorter than the timeout of common
 * proxies.
 */
const MOVED_AT_ONCE = 100

/**
 * Mutation: moves all documents from one project to another, in several requests. A null project means the documents without a
 * project.
 */
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

/** Mutation: deletes all documents of a project. */
export const useDeleteAllDocuments = () =>
  useMutation({
    mutationKey: PROJECT_MUTATION,
    mutationFn: (id: string) => request(api.projectDocuments(id), { method: 'DELETE', schema: one(documentsDeleted) }),
    onSuccess: refreshDocuments,
  })

/**
 * Mutation: moves a document to a project. `version` is the version of the document's row. The server refuses the move if
 * another user has moved the document since this version.
 */
export const useMoveDocument = () =>
  useMutation({
    mutationFn: ({ id, ...patch }: { id: string; project_id: string; version: number }) =>
      request(api.document(id), { method: 'PATCH', body: patch, schema: anything }),
    onSuccess: refreshDocuments,
  })
