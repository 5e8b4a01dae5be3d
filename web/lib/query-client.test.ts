import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { ApiError } from './api.ts'
import { queryClient, RepeatingQueryClient } from './query-client.ts'

const MINUTE = 60_000

/** Returns the number of attempts of a query that always fails with `error`. */
async function tries(error: Error): Promise<number> {
  let count = 0
  const failing = async () => {
    count += 1
    throw error
  }
  const asked = queryClient.query({
    queryKey: ['tries', error.message],
    queryFn: failing,
    retry: retryRule,
    retryDelay: 0,
  })
  await expect(asked).rejects.toBe(error)
  return count
}
const retryRule = queryClient.getDefaultOptions().queries!.retry!

describe('query client', () => {
  it('Query data is stale after 5 minutes and cached for 30 (CONST-36)', () => {
    expect(queryClient.getDefaultOptions().queries).toMatchObject({ staleTime: 5 * MINUTE, gcTime: 30 * MINUTE })
  })

  it('A failed query is retried once, but not after a 4xx status and not on window focus (CONST-37)', async () => {
    expect(await tries(new Error('The network is gone'))).toBe(2)
    expect(await tries(new ApiError(503, 'failed', 'Busy'))).toBe(2)
    expect(await tries(new ApiError(404, 'not_found', 'Gone'))).toBe(1)
    expect(queryClient.getDefaultOptions().queries).toMatchObject({ refetchOnWindowFocus: false })
  })
})

it('invalidateQueries repeats a first load that read the data before the change', async () => {
  const client = new RepeatingQueryClient()
  let stored = 'before'
  const loads: (() => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['names'],
    queryFn: async () => {
      const read = stored
      await new Promise<void>((resume) => loads.push(resume))
      return read
    },
  })
  const unsubscribe = observer.subscribe(() => undefined)
  await expect.poll(() => loads.length).toBe(1)
  stored = 'after'
  const refreshed = client.invalidateQueries({ queryKey: ['names'] })
  loads[0]!()
  await expect.poll(() => loads.length).toBe(2)
  loads[1]!()
  await refreshed
  expect(observer.getCurrentResult().data).toBe('after')
  unsubscribe()
})
