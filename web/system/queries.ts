import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { evaluation } from '#shared/contract/evaluations.ts'
import { feedTried } from '#shared/contract/feeds.ts'
import { job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import {
  FAILED_JOBS_PAGE_SIZE,
  FAILING_FEEDS_PAGE_SIZE,
  failedJob,
  failingFeed,
  systemStatus,
} from '#shared/contract/system.ts'
import { anything, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const SYSTEM = 'admin-system'
/** Refetch interval in ms while the page is visible. */
const LOOK_AGAIN_MS = 10_000

export const statusQuery = queryOptions({
  queryKey: [SYSTEM, 'status'],
  queryFn: ({ signal }) => request(api.adminSystemStatus(), { schema: one(systemStatus), signal }),
  staleTime: 0,
  refetchInterval: LOOK_AGAIN_MS,
})

/** Query: the results of the evaluations of models by the command `npm run evaluate`, latest first. */
export const evaluationsQuery = queryOptions({
  queryKey: [SYSTEM, 'evaluations'],
  queryFn: ({ signal }) => request(api.adminEvaluations(), { schema: page(evaluation), signal }),
  staleTime: 0,
})

/** Query: a page of failed jobs. `at` is the page number, from 1. */
export const failedJobsQuery = (at: number) =>
  queryOptions({
    queryKey: [SYSTEM, 'failed-jobs', at],
    queryFn: ({ signal }) =>
      request(api.adminFailedJobs({ page: at, limit: FAILED_JOBS_PAGE_SIZE }), { schema: page(failedJob), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  })

/** Query: a page of failing feeds. `at` is the page number, from 1. */
export const failingFeedsQuery = (at: number) =>
  queryOptions({
    queryKey: [SYSTEM, 'failing-feeds', at],
    queryFn: ({ signal }) =>
      request(api.adminFailingFeeds({ page: at, limit: FAILING_FEEDS_PAGE_SIZE }), {
        schema: page(failingFeed),
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  })

/** Refetches all data of the System page. */
export const lookAgain = () => queryClient.invalidateQueries({ queryKey: [SYSTEM] })

/** Mutation: restarts a failed job. */
export const useRetryJob = () =>
  useMutation({
    mutationFn: (id: string) => request(api.adminFailedJobRetry(id), { method: 'POST', schema: one(job) }),
    onSettled: lookAgain,
  })

/** Mutation: deletes a failed job from the list. */
export const useDeleteJob = () =>
  useMutation({
    mutationFn: (id: string) => request(api.adminFailedJob(id), { method: 'DELETE', schema: anything }),
    onSettled: lookAgain,
  })

/**
 * Mutation: lets the server read a failing feed at once. Resolves after the attempt with the new state of the feed, also if the
 * feed could not be read (`last_error`).
 */
export const useTryFeed = () =>
  useMutation({
    mutationFn: (id: string) => request(api.adminFailingFeedTry(id), { method: 'POST', schema: one(feedTried) }),
    onSettled: lookAgain,
  })

/** Mutation: pauses (true) or continues (false) the indexing of documents for the search over passages. */
export const useChangeIndex = () =>
  useMutation({
    mutationFn: (isPaused: boolean) =>
      request(api.adminIndex(), {
        method: 'PUT',
        body: { is_paused: isPaused },
        schema: one(systemStatus.shape.index),
      }),
    onSettled: lookAgain,
  })

/**
 * Mutation: pauses (true) or continues (false) the background work that vectorizes documents again whose vectors are of another
 * model than the current one.
 */
export const useChangeVectors = () =>
  useMutation({
    mutationFn: (isPaused: boolean) =>
      request(api.adminVectors(), {
        method: 'PUT',
        body: { is_paused: isPaused },
        schema: one(systemStatus.shape.vectors),
      }),
    onSettled: lookAgain,
  })
