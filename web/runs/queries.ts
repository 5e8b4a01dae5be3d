import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#shared/contract/paths.ts'
import { runComparison, runDetails, runList, RUNS_PAGE_SIZE } from '#shared/contract/runs.ts'
import { one, request } from '#web/lib/api.ts'
import type { RunsSearch } from './search.ts'

/** Query: a page of the runs of a project (analyses of papers and answers to questions), newest first. */
export const runsQuery = (projectId: string, { page = 1, ...filters }: RunsSearch) =>
  queryOptions({
    queryKey: ['runs', projectId, { page, ...filters }],
    queryFn: ({ signal }) =>
      request(api.runs(projectId, { ...filters, page, limit: RUNS_PAGE_SIZE }), { schema: runList, signal }),
    placeholderData: keepPreviousData,
  })

/** Query: a run (an analysis or an answer) with its inputs and the values that it returned. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => request(api.run(id), { schema: one(runDetails), signal }),
  })

/** Query: the comparison of two runs (analyses or answers) with these ids. */
export const comparisonQuery = (first: string, second: string) =>
  queryOptions({
    queryKey: ['runs', 'comparison', first, second],
    queryFn: ({ signal }) => request(api.runComparison(first, second), { schema: one(runComparison), signal }),
  })
