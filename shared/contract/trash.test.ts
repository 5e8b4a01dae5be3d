import { describe, expect, it } from 'vitest'
import { restoredName } from './trash.ts'

describe('restoredName', () => {
  it("restoredName returns the name if it is free, otherwise adds '(restored)', ignoring case", () => {
    expect(restoredName('Sleep', new Set(['naps']))).toBe('Sleep')
    expect(restoredName('Sleep', new Set(['sleep']))).toBe('Sleep (restored)')
    expect(restoredName('Sleep', new Set(['sleep', 'sleep (restored)']))).toBe('Sleep (restored 2)')
  })

  it('restoredName does not exceed 200 characters', () => {
    const long = 'x'.repeat(200)
    expect(restoredName(long, new Set([long]))).toBe(`${'x'.repeat(189)} (restored)`)
  })

  it('restoredName does not cut a character that has two UTF-16 units', () => {
    const long = `${'x'.repeat(188)}${'😀'.repeat(6)}`
    expect(restoredName(long, new Set([long]))).toBe(`${'x'.repeat(188)} (restored)`)
  })
})
