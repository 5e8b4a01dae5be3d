import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const drain = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.take())

it('A fair queue serves each person in turn', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item)
  for (const item of ['b1', 'b2']) queue.add('b', item)
  queue.add('c', 'c1')
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it('A fair queue serves a new person before the next item of a person who was served already', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item)
  expect(queue.take()).toBe('a1')
  queue.add('b', 'b1')
  expect(drain(queue)).toEqual(['b1', 'a2', 'a3'])
})

it('A fair queue starves no person: persons who add one item after the other take turns with a waiting person', () => {
  const queue = new FairQueue<string>()
  queue.add('a', 'a1')
  queue.add('b', 'b1')
  queue.add('c', 'c1')
  expect(queue.take()).toBe('a1')
  queue.add('a', 'a2')
  expect(queue.take()).toBe('b1')
  queue.add('b', 'b2')
  expect(queue.take()).toBe('c1')
})

it('A fair queue skips items that do not fit, and preserves their place', () => {
  const queue = new FairQueue<string>()
  for (const item of ['long1', 'short1']) queue.add('a', item)
  queue.add('b', 'long2')
  const isShort = (item: string) => item.startsWith('short')
  expect([queue.take(isShort), queue.take(isShort)]).toEqual(['short1', undefined])
  expect(drain(queue)).toEqual(['long2', 'long1'])
})

it('A fair queue removes an item that no longer waits', () => {
  const queue = new FairQueue<string>()
  queue.add('a', 'a1')
  expect([queue.remove('b', 'a1'), queue.remove('a', 'a1'), queue.remove('a', 'a1')]).toEqual([false, true, false])
  expect([queue.size, queue.countOf('a')]).toEqual([0, 0])
})
