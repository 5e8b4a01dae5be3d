import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { api, functionPath } from '#shared/contract/paths.ts'
import { backendUsage, budgets, modelPrice, usageOverview } from '#shared/contract/usage.ts'
import type { BudgetInput, PriceInput } from '#shared/contract/usage.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { daysOf } from './periods.ts'
import type { PeriodName } from './periods.ts'

/** Refetch interval in ms while the page is open. */
export const REFRESH_MS = 5 * 60_000

const always = { staleTime: 0, refetchInterval: REFRESH_MS, placeholderData: keepPreviousData } as const

/** Query: tokens and cost of the AI models, in total and for a period. The days of the period are in UTC. */
export const usageQuery = (period: PeriodName) =>
  queryOptions({
    queryKey: ['admin-usage', 'overview', period],
    queryFn: ({ signal }) =>
      request(api.adminUsage(daysOf(period, new Date())), { schema: one(usageOverview), signal }),
    ...always,
  })

export const backendQuery = queryOptions({
  queryKey: ['admin-usage', 'backend'],
  queryFn: ({ signal }) => request(api.adminBackend(), { schema: one(backendUsage), signal }),
  ...always,
})

/** Query: the monthly budgets of the whole installation and of single users. */
export const budgetsQuery = queryOptions({
  queryKey: ['admin-usage', 'budgets'],
  queryFn: ({ signal }) => request(api.adminBudgets(), { schema: one(budgets), signal }),
  ...always,
})

/** Query: the price of every model, and its source. */
export const pricesQuery = queryOptions({
  queryKey: ['admin-usage', 'prices'],
  queryFn: ({ signal }) => request(api.adminPrices(), { schema: many(modelPrice), signal }),
  staleTime: 0,
})

const refetchAll = () => queryClient.invalidateQueries({ queryKey: ['admin-usage'] })

/** Mutation: lets the server recalculate the usage, then refetches it. */
export const useRefreshUsage = () =>
  useMutation({
    mutationFn: () =>
      request(functionPath('fetch-openai-usage'), {
        method: 'POST',
        body: {},
        schema: z.object({ data: z.object({ total_tokens: z.number(), refreshed_at: z.string() }) }),
      }),
    onSuccess: refetchAll,
  })

/**
 * Mutation: sets the price of a model, in US dollars per million tokens. With `reprice`, the cost of past calls is also
 * calculated with this price.
 */
export const useSetPrice = () =>
  useMutation({
    mutationFn: (body: PriceInput) => request(api.adminPrices(), { method: 'PUT', body, schema: one(modelPrice) }),
    onSuccess: refetchAll,
  })

/** Mutation: removes the price that was set for a model, so that its list price applies, or the default rate if it has none. */
export const useRemovePrice = () =>
  useMutation({
    mutationFn: (model: string) => request(api.adminPrices({ model }), { method: 'DELETE', schema: anything }),
    onSuccess: refetchAll,
  })

/** Mutation: sets or removes a budget. */
export const useSetBudget = () =>
  useMutation({
    mutationFn: (body: BudgetInput) => request(api.adminBudgets(), { method: 'PUT', body, schema: one(budgets) }),
    onSuccess: refetchAll,
  })
