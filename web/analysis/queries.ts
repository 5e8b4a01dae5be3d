import { queryOptions } from '@tanstack/react-query'
import { api } from '#shared/paths.ts'
import { prompt } from '#shared/prompts.ts'
import { many, request } from '#web/lib/api.ts'

/** The prompt library, kept for 60 s. */
export const promptsQuery = queryOptions({
  queryKey: ['prompts'],
  queryFn: ({ signal }) => request(api.prompts(), { schema: many(prompt), signal }),
  staleTime: 60_000,
})
