import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { RepeatingQueryClient } from './query-client.ts'

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
