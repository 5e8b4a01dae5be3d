import { queryOptions } from '@tanstack/react-query'
import { api } from '#shared/contract/paths.ts'
import { prompt, promptVersion } from '#shared/contract/prompts.ts'
import { many, one, request } from '#web/lib/api.ts'

/** The prompt library, cached for 60 s. */
export const promptsQuery = queryOptions({
  queryKey: ['prompts'],
  queryFn: ({ signal }) => request(api.prompts(), { schema: many(prompt), signal }),
  staleTime: 60_000,
})

/** The text of a prompt version. Versions never change. */
export const promptVersionQuery = (id: string) =>
  queryOptions({
    queryKey: ['prompt-version', id],
    queryFn: ({ signal }) => request(api.promptVersion(id), { schema: one(promptVersion), signal }),
    staleTime: Infinity,
  })
