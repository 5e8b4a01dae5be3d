import { describe, expect, it } from 'vitest'
import { meanDirection } from './mean-direction.ts'

describe('meanDirection', () => {
  it('has length 1 and lies between', () => {
    const mean = meanDirection([Float32Array.of(1, 0), Float32Array.of(0, 1)])
    expect([...mean]).toEqual([expect.closeTo(Math.SQRT1_2, 6), expect.closeTo(Math.SQRT1_2, 6)])
  })

  it('stands opposite vectors', () => {
    expect([...meanDirection([Float32Array.of(1, 0), Float32Array.of(-1, 0)])]).toEqual([0, 0])
  })
})
