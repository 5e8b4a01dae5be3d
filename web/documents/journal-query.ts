import { queryOptions } from '@tanstack/react-query'
import { journalOption } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { many, request } from '#web/lib/api.ts'

/** Journals whose name contains `search`; those that begin with it come first. */
export const journalsQuery = (search: string) =>
  queryOptions({
    queryKey: ['journals', search],
    queryFn: ({ signal }) => request(api.journals({ search, limit: 20 }), { schema: many(journalOption), signal }),
  })
