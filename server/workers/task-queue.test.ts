import { expect, it } from 'vitest'
import { TaskQueue } from './task-queue.ts'

it('A task queue runs one task of each person in turn', async () => {
  const line = new TaskQueue(10)
  const done: string[] = []
  const ask = (person: string, name: string) =>
    line.run(person, async () => {
      await Promise.resolve()
      done.push(name)
      return name
    })
  const all = [
    ask('ada', 'a1'),
    ask('ada', 'a2'),
    ask('ada', 'a3'),
    ask('bea', 'b1'),
    ask('bea', 'b2'),
    ask('carl', 'c1'),
  ]
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it('A task queue rejects the failed task and runs the next one', async () => {
  const line = new TaskQueue(10)
  const failed = line.run('ada', () => Promise.reject(new Error('broken')))
  const next = line.run('bea', () => Promise.resolve('read'))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('read')
})

it('A task queue runs the next task after a task that throws synchronously', async () => {
  const line = new TaskQueue(10)
  const failed = line.run('ada', () => {
    throw new Error('no thread')
  })
  await expect(failed).rejects.toThrow('no thread')
  const next = line.run('bea', () => Promise.resolve('read'))
  expect(await Promise.race([next, new Promise((late) => setTimeout(late, 1000, 'stuck'))])).toBe('read')
})

it('A task queue refuses tasks beyond the limit of one person and accepts those of others', async () => {
  const line = new TaskQueue(2)
  const end = Promise.withResolvers<void>()
  const wait = (person: string) => line.run(person, () => end.promise)
  const taken = [wait('ada'), wait('ada'), wait('ada'), wait('bea')]
  await expect(wait('ada')).rejects.toMatchObject({ code: 'too_many', retryAfter: 30 })
  end.resolve()
  expect(await Promise.all(taken)).toHaveLength(4)
})
