import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const MINUTE = 60_000

/**
 * Data is stale after 5 minutes, kept for 30, tried once more, and not fetched again when the window gets the focus.
 * Calls are made although the browser says it is offline: the server may stand on the same machine, and where it does
 * not, the failure says so, while a call that is put off would leave the page waiting without a word.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE,
      gcTime: 30 * MINUTE,
      // What the server refuses it refuses twice: only failures that may pass are tried again.
      retry: (failures, error) =>
        failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
