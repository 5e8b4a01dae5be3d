import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Returns tasks that run until `end` is called with their name, and the list of the started tasks. */
function openTasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name)
      ends.set(name, () => resolve(name))
    })
  return { started, task, end: (name: string) => ends.get(name)!() }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('inTurn runs as many tasks with one key at the same time as allowed, the others in the order of their calls', async () => {
    const inTurn = createTurns(2)
    const { started, task, end } = openTasks()
    const results = ['a', 'b', 'c', 'd'].map((name) => inTurn('ada', task(name)))
    await settle()
    expect(started).toEqual(['a', 'b'])
    end('b')
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])
    end('a')
    await settle()
    end('c')
    end('d')
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('inTurn does not delay tasks with another key', async () => {
    const inTurn = createTurns(1)
    const { started, task, end } = openTasks()
    const results = [inTurn('ada', task('a')), inTurn('ada', task('b')), inTurn('bob', task('c'))]
    await settle()
    expect(started).toEqual(['a', 'c'])
    end('a')
    end('c')
    await settle()
    end('b')
    await Promise.all(results)
  })

  it('inTurn runs the next task after a failed one', async () => {
    const inTurn = createTurns(1)
    const failed = inTurn('ada', () => Promise.reject(new Error('no')))
    const next = inTurn('ada', () => Promise.resolve('yes'))
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
