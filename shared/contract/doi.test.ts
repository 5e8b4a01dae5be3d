import { describe, expect, it } from 'vitest'
import { doiKey, doiText, isDoi } from './doi.ts'

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

describe('doiText', () => {
  it.each([
    [
      'https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15%2F16%3C1661::AID-SIM968%3E3.0.CO;2-2',
      '10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2',
    ],
    ['doi:10.1890/0012-9658(2006)87%5B1465:ATM%5D2.0.CO;2', '10.1890/0012-9658(2006)87[1465:ATM]2.0.CO;2'],
    ['10.1000%2fabc', '10.1000/abc'],
    ['https://example.org/10.1000%2Fabc', 'https://example.org/10.1000%2Fabc'],
    ['10.1000/50%', '10.1000/50%'],
  ])('doiText returns the decoded DOI of %s', (value, doi) => {
    expect(doiText(value)).toBe(doi)
  })
})

describe('isDoi', () => {
  it('isDoi accepts DOIs and rejects other text', () => {
    expect(isDoi('https://doi.org/10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O')).toBe(true)
    expect(isDoi('10.1000.10/123456')).toBe(true)
    expect(isDoi('10.1000%2Fabc')).toBe(true)
    expect(isDoi('arXiv:2201.06719')).toBe(false)
    expect(isDoi('10.12/short')).toBe(false)
    expect(isDoi('A trial of naps')).toBe(false)
  })
})
