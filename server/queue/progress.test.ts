import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttleReports } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('throttleReports', () => {
  it('throttleReports writes the latest report, four times a second, within 0 and 100', async () => {
    const written: [number, string | null][] = []
    const reports = throttleReports(async (progress, text) => void written.push([progress, text]))
    for (let n = 0; n < 100; n++) {
      reports.report(n === 99 ? 250 : n, `step ${n}`)
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(300)
    expect(written.length).toBeGreaterThanOrEqual(4)
    expect(written.length).toBeLessThanOrEqual(6)
    expect(written.at(-1)).toEqual([100, 'step 99'])
    reports.report(Number.NaN)
    await vi.advanceTimersByTimeAsync(300)
    expect(written.at(-1)).toEqual([0, null])
  })

  it('throttleReports writes one report at a time, and none after stop', async () => {
    let release = () => {}
    let writing = 0
    let most = 0
    const reports = throttleReports(async () => {
      most = Math.max(most, ++writing)
      await new Promise<void>((done) => {
        release = done
      })
      writing -= 1
    })
    reports.report(1)
    await vi.advanceTimersByTimeAsync(10)
    reports.report(2)
    await vi.advanceTimersByTimeAsync(1000)
    expect(most).toBe(1)
    const stopped = reports.stop()
    release()
    await stopped
    await vi.advanceTimersByTimeAsync(1000)
    expect([most, writing]).toEqual([1, 0])
  })
})
