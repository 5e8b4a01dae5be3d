import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#shared/contract/paths.ts'
import {
  zoteroConnection,
  zoteroOfDocument,
  type ZoteroSync,
  zoteroSync,
  zoteroTree,
  type ZoteroUse,
} from '#shared/contract/zotero.ts'
import { anything, many, one, request } from '#web/lib/api.ts'

const CONNECTION = ['zotero', 'connection']
const TREE = ['zotero', 'collections']
const syncsKey = (projectId: string) => ['zotero', 'syncs', projectId]
const itemKey = (documentId: string) => ['document', documentId, 'zotero']

/** Query: the user's connection with Zotero (by an API key of Zotero); null if the user has stored no key. */
export const connectionQuery = queryOptions({
  queryKey: CONNECTION,
  queryFn: ({ signal }) => request(api.zoteroConnection(), { schema: one(zoteroConnection), signal }),
})

/** Query: the user's Zotero libraries with their collections. The server requests them from Zotero for this query. */
export const treeQuery = queryOptions({
  queryKey: TREE,
  queryFn: ({ signal }) => request(api.zoteroCollections(), { schema: many(zoteroTree), signal }),
  retry: false,
  staleTime: 60_000,
})

/** Query: the Zotero libraries from which a project imports, with their schedules. */
export const syncsQuery = (projectId: string) =>
  queryOptions({
    queryKey: syncsKey(projectId),
    queryFn: ({ signal }) =>
      request(api.zoteroImports({ project_id: projectId }), { schema: many(zoteroSync), signal }),
  })

/**
 * Query: the Zotero item from which a document was imported; null for other documents. The key begins with the key of the
 * document, so that a change of the document refetches it.
 */
export const itemQuery = (documentId: string) =>
  queryOptions({
    queryKey: itemKey(documentId),
    queryFn: ({ signal }) => request(api.documentZotero(documentId), { schema: one(zoteroOfDocument), signal }),
  })

/** Mutation: stores the API key of the user for Zotero. The server first checks the key at Zotero. */
export function useConnect() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) =>
      request(api.zoteroConnection(), { method: 'PUT', body: { key }, schema: one(zoteroConnection) }),
    onSuccess: (connection) => {
      client.setQueryData(CONNECTION, connection)
      client.removeQueries({ queryKey: TREE })
    },
  })
}

/** Mutation: deletes the Zotero key of the user. */
export function useDisconnect() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => request(api.zoteroConnection(), { method: 'DELETE', schema: anything }),
    onSuccess: () => {
      client.setQueryData(CONNECTION, null)
      client.removeQueries({ queryKey: TREE })
      return client.invalidateQueries({ queryKey: ['zotero', 'syncs'] })
    },
  })
}

/** Mutation: changes how often a Zotero library is synchronized with the project. */
export function useChangeSchedule(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, synchronize, version }: Pick<ZoteroSync, 'id' | 'synchronize' | 'version'>) =>
      request(api.zoteroImport(id), { method: 'PATCH', body: { synchronize, version }, schema: one(zoteroSync) }),
    onSettled: () => client.invalidateQueries({ queryKey: syncsKey(projectId) }),
  })
}

/**
 * Mutation: replaces values of a document by the values of its Zotero item. `seen` contains the Zotero values that the user
 * sees, by the name of the field; only these fields are replaced.
 */
export function useZoteroValues(documentId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (seen: Record<string, unknown>) =>
      request(api.documentZoteroUse(documentId), {
        method: 'POST',
        body: { fields: Object.keys(seen), seen } satisfies ZoteroUse,
        schema: one(zoteroOfDocument),
      }),
    onError: () => client.invalidateQueries({ queryKey: itemKey(documentId) }),
    onSuccess: (item) => {
      client.setQueryData(itemKey(documentId), item)
      return client.invalidateQueries({ queryKey: ['document', documentId], exact: true })
    },
  })
}
