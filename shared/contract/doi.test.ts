import { describe, expect, it } from 'vitest'
import { doiKey, isDoi } from './doi.ts'

describe('doiKey', () => {
  it.each([
    '10.1186/S13643-021-01626-4',
    ' https://doi.org/10.1186/s13643-021-01626-4 ',
    'http://dx.doi.org/10.1186/s13643-021-01626-4',
    'DOI: 10.1186/s13643-021-01626-4',
  ])('doiKey returns the bare DOI of %s', (stored) => {
    expect(doiKey(stored)).toBe('10.1186/s13643-021-01626-4')
  })
})

describe('isDoi', () => {
  it('isDoi accepts DOIs and rejects other text', () => {
    expect(isDoi('https://doi.org/10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O')).toBe(true)
    expect(isDoi('10.1000.10/123456')).toBe(true)
    expect(isDoi('arXiv:2201.06719')).toBe(false)
    expect(isDoi('10.12/short')).toBe(false)
    expect(isDoi('A trial of naps')).toBe(false)
  })
})
