import { describe, expect, it } from 'vitest'
import { eachPage, eachPageTolerant } from './each-page.ts'

/**
 * Returns a function that reads a page by returning its number. `failures` has the number of first calls that fail, by page.
 */
function reader(failures: Readonly<Record<number, number>>) {
  const calls: number[] = []
  const read = async (page: number) => {
    calls.push(page)
    if (calls.filter((one) => one === page).length <= (failures[page] ?? 0)) throw new Error(`page ${page}`)
    return page
  }
  return { calls, read }
}

describe('eachPageTolerant', () => {
  it('eachPageTolerant retries a failed page once', async () => {
    const { calls, read } = reader({ 2: 1 })
    expect(await eachPageTolerant([1, 2, 3], { atATime: 1 }, read)).toEqual([1, 2, 3])
    expect(calls).toEqual([1, 2, 2, 3])
  })

  it('eachPageTolerant returns the other pages when a page fails twice', async () => {
    expect(await eachPageTolerant([1, 2, 3], { atATime: 2 }, reader({ 2: 2 }).read)).toEqual([1, null, 3])
  })

  it('eachPageTolerant throws when more than half of the pages fail', async () => {
    await expect(eachPageTolerant([1, 2, 3], { atATime: 1 }, reader({ 1: 2, 3: 2 }).read)).rejects.toThrow('page 3')
    await expect(eachPageTolerant([1], { atATime: 1 }, reader({ 1: 2 }).read)).rejects.toThrow('page 1')
  })

  it('eachPageTolerant does not repeat a page after a cancellation', async () => {
    const control = new AbortController()
    const { calls, read } = reader({ 1: 2 })
    const cancelled = eachPageTolerant([1, 2, 3], { atATime: 1, signal: control.signal }, (page) => {
      control.abort(new Error('enough'))
      return read(page)
    })
    await expect(cancelled).rejects.toThrow()
    expect(calls).toEqual([1])
  })
})

describe('eachPage', () => {
  it('eachPage fails at the first failed page', async () => {
    const { calls, read } = reader({ 2: 1 })
    await expect(eachPage([1, 2, 3], { atATime: 1 }, read)).rejects.toThrow('page 2')
    expect(calls).toEqual([1, 2])
  })

  it('eachPage reports progress', async () => {
    const done: number[] = []
    await eachPage([1, 2], { atATime: 2, onProgress: (count) => done.push(count) }, reader({}).read)
    expect(done).toEqual([1, 2])
  })
})
