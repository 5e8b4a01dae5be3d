import { describe, expect, it } from 'vitest'
import { counted, publicationDate, shortDate } from './dates.ts'

describe('dates as people read them', () => {
  it('writes a created date short, and leaves alone what is none', () => {
    expect(shortDate('2026-11-18T12:00:00Z')).toBe('Nov 18, 2026')
    expect(shortDate('soon')).toBe('soon')
  })
  it('writes a publication date with two digits and without a shift', () => {
    expect(publicationDate('2025-03-04')).toBe('March 04, 2025')
    expect(publicationDate('2025')).toBe('2025')
  })
  it('counts', () => {
    expect([counted(1, 'document'), counted(0, 'document'), counted(1200, 'document')]).toEqual([
      '1 document',
      '0 documents',
      '1,200 documents',
    ])
  })
})
