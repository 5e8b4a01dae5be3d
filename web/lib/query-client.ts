import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const MINUTE = 60_000

/**
 * A QueryClient whose `invalidateQueries` also repeats a first fetch that is running. TanStack Query restarts a running fetch
 * only if the query already has data, but a running first fetch may have read the data before they changed. (Exported for its
 * test.)
 */
export class RepeatingQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstLoads = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
    // A query without data is not restarted: this waits for its running load.
    await super.invalidateQueries(filters, options)
    await Promise.all(
      firstLoads.map(({ queryKey }) => super.invalidateQueries({ ...filters, queryKey, exact: true }, options)),
    )
  }
}

/**
 * The query cache of the app with its default options. Data is stale after 5 minutes and cached for 30 minutes. A failed query
 * is retried once, except after a 4xx status. Window focus does not refetch. Requests are sent even if the browser is offline,
 * because the server can be on the same machine and a failed request shows an error message.
 */
export const queryClient = new RepeatingQueryClient({
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
