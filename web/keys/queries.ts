import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { apiKey, createdKey, keyCall, type NewKey } from '#shared/contract/api-keys.ts'
import { api } from '#shared/contract/paths.ts'
import { withProof } from '#web/auth/index.ts'
import { anything, many, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

export const CALLS_PAGE_SIZE = 10

/** The user's API keys, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => request(api.keys(), { schema: many(apiKey), signal }),
  // The server sends no event when a program uses a key.
  refetchOnMount: 'always',
})

/**
 * Query: a page of the last API calls with one key or, without `keyId`, with all keys of the user. `number` is the page number,
 * from 1.
 */
export const callsQuery = (keyId: string | undefined, number: number) =>
  queryOptions({
    queryKey: ['api-key-calls', keyId, number],
    queryFn: ({ signal }) =>
      request(api.keyCalls({ key_id: keyId, page: number, limit: CALLS_PAGE_SIZE }), { schema: page(keyCall), signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

const refresh = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })

/** Mutation: creates an API key. Asks the user to sign in again if the last sign-in is too old. */
export const useCreateKey = () =>
  useMutation({
    mutationFn: (body: NewKey) =>
      withProof(() => request(api.keys(), { method: 'POST', body, schema: one(createdKey) })),
    onSettled: refresh,
  })

/** Mutation: revokes a key. */
export const useRevokeKey = () =>
  useMutation({
    mutationFn: (id: string) => request(api.key(id), { method: 'DELETE', schema: anything }),
    onSettled: refresh,
  })
