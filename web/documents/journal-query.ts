import { queryOptions } from '@tanstack/react-query'
import { journalOption } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { many, request } from '#web/lib/api.ts'

/** Query: at most 20 journals whose name contains `search`. Journals whose name begins with it come first. */
export const journalsQuery = (search: string) =>
  queryOptions({
    queryKey: ['journals', search],
    queryFn: ({ signal }) => request(api.journals({ search, limit: 20 }), { schema: many(journalOption), signal }),
  })
