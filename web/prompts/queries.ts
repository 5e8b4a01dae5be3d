import { queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { documentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { prompt, promptVersion, trialResult } from '#shared/contract/prompts.ts'
import type { PromptInput, PromptTrial } from '#shared/contract/prompts.ts'
import { promptsQuery } from '#web/analysis/index.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the available models. If the models of the provider could not be listed, `error` is the reason. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) =>
    request(api.models(), {
      schema: z.object({
        data: z.array(z.object({ id: z.string(), name: z.string() })),
        error: z.string().nullable(),
      }),
      signal,
    }),
  staleTime: 60_000,
})

/** All versions of a prompt, latest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['prompt-versions', id],
    queryFn: ({ signal }) => request(api.promptVersions(id), { schema: many(promptVersion), signal }),
    staleTime: 0,
  })

/** Query: the user's latest documents with a text, at most 100. A prompt can be tried on them. */
export const triableQuery = queryOptions({
  queryKey: ['documents', 'to-try'],
  queryFn: ({ signal }) =>
    request(api.documents({ status: ['completed', 'processed'], limit: 100 }), { schema: many(documentRow), signal }),
  staleTime: 60_000,
})

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: promptsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['prompt-versions'] }),
  ])

/** Mutation: adds a prompt, or changes the prompt `id`. */
export const useSavePrompt = () =>
  useMutation({
    mutationFn: (form: PromptInput | ({ id: string; version: number } & Partial<PromptInput>)) => {
      if (!('id' in form)) return request(api.prompts(), { method: 'POST', body: form, schema: one(prompt) })
      const { id, ...body } = form
      return request(api.prompt(id), { method: 'PATCH', body, schema: one(prompt) })
    },
    onSuccess: refresh,
  })

/** Mutation: deletes a prompt. */
export const useDeletePrompt = () =>
  useMutation({
    mutationFn: (id: string) => request(api.prompt(id), { method: 'DELETE', schema: anything }),
    onSettled: refresh,
  })

/** Mutation: makes an earlier version of a prompt the current one. */
export const useRestoreVersion = () =>
  useMutation({
    mutationFn: ({ id, version }: { id: string; version: number }) =>
      request(api.promptRestore(id), { method: 'POST', body: { version }, schema: one(prompt) }),
    onSuccess: refresh,
  })

/** Mutation: analyzes a paper with a prompt, without storing the result. */
export const useTryPrompt = () =>
  useMutation({
    mutationFn: (trial: PromptTrial) =>
      request(api.promptsTry(), { method: 'POST', body: trial, schema: one(trialResult) }),
  })
