import { describe, expect, it } from 'vitest'
import { sharpness } from './draw-page.ts'

describe('sharpness', () => {
  it('is the pixel ratio of the screen for a page of ordinary size', () => expect(sharpness(725, 1026, 2)).toBe(2))

  it('stays under the largest canvas that every browser draws', () => {
    const scale = sharpness(2400, 3400, 3)
    expect(2400 * 3400 * scale ** 2).toBeLessThanOrEqual(16_000_000.1)
  })

  it('bounds the longer side of a poster', () => expect(sharpness(500, 20_000, 2) * 20_000).toBeLessThanOrEqual(8192))
})
