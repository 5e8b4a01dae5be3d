import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const MINUTE = 60_000

/**
 * Data is stale after 5 minutes and cached for 30; failed queries are retried once; window focus does not refetch.
 * Calls are made even when the browser reports that it is offline: the server can be on the same machine, and a failed
 * call shows a message while a paused one would show nothing.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE,
      gcTime: 30 * MINUTE,
      // A 4xx status would be the same on a retry.
      retry: (failures, error) =>
        failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
