import { describe, expect, it } from 'vitest'
import { coverPlan, randomFrom } from './cover-pattern.ts'

describe('project cover', () => {
  it('The cover is the same for names that differ in case or outer spaces', () => {
    expect(coverPlan('  Sleep and Memory ')).toEqual(coverPlan('sleep and memory'))
  })
  it('The covers of many names use every cloth and every pattern', () => {
    const plans = Array.from({ length: 400 }, (_, index) => coverPlan(`Project ${index}`))
    expect(new Set(plans.map((plan) => plan.cloth))).toHaveLength(6)
    expect(new Set(plans.map((plan) => plan.pattern))).toHaveLength(4)
  })
  it('The random numbers of a cover are repeatable and between 0 and 1', () => {
    const [one, two] = [randomFrom(7), randomFrom(7)]
    const numbers = Array.from({ length: 50 }, one)
    expect(Array.from({ length: 50 }, two)).toEqual(numbers)
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
  })
})
