import { describe, expect, it } from 'vitest'
import { sharpness } from './draw-page.ts'

describe('sharpness', () => {
  it('sharpness is the pixel ratio of the screen for a page of ordinary size', () =>
    expect(sharpness(725, 1026, 2)).toBe(2))

  it('sharpness stays below the largest canvas that all browsers render', () => {
    const scale = sharpness(2400, 3400, 3)
    expect(2400 * 3400 * scale ** 2).toBeLessThanOrEqual(16_000_000.1)
  })

  it('sharpness limits the longer side of a poster', () =>
    expect(sharpness(500, 20_000, 2) * 20_000).toBeLessThanOrEqual(8192))
})
