import { describe, expect, it } from 'vitest'
import { restoredName } from './trash.ts'

describe('the name of a project that comes back', () => {
  it('is its own where that is free, else says that it was restored, in any letter case', () => {
    expect(restoredName('Sleep', new Set(['naps']))).toBe('Sleep')
    expect(restoredName('Sleep', new Set(['sleep']))).toBe('Sleep (restored)')
    expect(restoredName('Sleep', new Set(['sleep', 'sleep (restored)']))).toBe('Sleep (restored 2)')
  })

  it('stays within what a name may have', () => {
    const long = 'x'.repeat(200)
    expect(restoredName(long, new Set([long]))).toBe(`${'x'.repeat(189)} (restored)`)
  })
})
