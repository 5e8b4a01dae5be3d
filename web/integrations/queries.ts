import { queryOptions, useMutation } from '@tanstack/react-query'
import { journalImport } from '#shared/contract/journal-import.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the last ten runs of the journal update (the import of journals from OpenAlex), newest first. */
export const runsQuery = queryOptions({
  queryKey: ['admin-imports'],
  queryFn: ({ signal }) => request(api.adminUpdateJournals(), { schema: many(journalImport), signal }),
  staleTime: 0,
})

/** Fetches the list of the last runs of the journal update again (see `runsQuery`). */
export const refreshRuns = () => queryClient.invalidateQueries({ queryKey: runsQuery.queryKey })

/** Mutation: starts a run of the journal update. */
export const useStartImport = () =>
  useMutation({
    mutationFn: () =>
      request(api.adminUpdateJournals(), { method: 'POST', body: { action: 'update' }, schema: one(journalImport) }),
    // A start is also refused while a run of another administrator is active; the refetch shows that run.
    onSettled: refreshRuns,
  })

/** Mutation: cancels the current run of the journal update. */
export const useCancelImport = () =>
  useMutation({
    mutationFn: () => request(api.adminUpdateJournalsCancel(), { method: 'POST', schema: one(journalImport) }),
    onSettled: refreshRuns,
  })
