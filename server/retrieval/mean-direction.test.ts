import { describe, expect, it } from 'vitest'
import { meanDirection } from './mean-direction.ts'

describe('meanDirection', () => {
  it('meanDirection returns a vector of length 1 between the given ones', () => {
    const mean = meanDirection([Float32Array.of(1, 0), Float32Array.of(0, 1)])
    expect([...mean]).toEqual([expect.closeTo(Math.SQRT1_2, 6), expect.closeTo(Math.SQRT1_2, 6)])
  })

  it('meanDirection returns zero for opposite vectors', () => {
    expect([...meanDirection([Float32Array.of(1, 0), Float32Array.of(-1, 0)])]).toEqual([0, 0])
  })
})
