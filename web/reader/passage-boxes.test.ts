import { describe, expect, it } from 'vitest'
import { type Box, marginBars, mergeLines } from './passage-boxes.ts'

const box = (left: number, top: number, width: number, height = 0.01): Box => ({ left, top, width, height })

describe('mergeLines', () => {
  it('makes one box of the words of a line', () => {
    const lines = mergeLines([box(0.1, 0.2, 0.1), box(0.205, 0.2, 0.1), box(0.1, 0.215, 0.3)], 0.7)
    expect(lines).toHaveLength(2)
    expect(lines[0]!.width).toBeCloseTo(0.205)
  })

  it('takes a superscript into its line', () => {
    expect(mergeLines([box(0.1, 0.2, 0.1), box(0.201, 0.197, 0.01, 0.007)], 0.7)).toHaveLength(1)
  })

  it('keeps the two columns apart although they stand at one height', () => {
    expect(mergeLines([box(0.1, 0.9, 0.38), box(0.52, 0.9, 0.38)], 0.7)).toHaveLength(2)
  })
})

describe('marginBars', () => {
  it('draws one bar along lines under each other and another for the next column', () => {
    const bars = marginBars([box(0.1, 0.9, 0.4), box(0.1, 0.915, 0.4), box(0.52, 0.1, 0.4), box(0.52, 0.115, 0.2)])
    expect(bars.map((bar) => bar.top)).toEqual([0.1, 0.9])
    expect(bars[0]!.height).toBeCloseTo(0.025)
  })
})
