import { describe, expect, it } from 'vitest'
import { doiAddress } from './doi.ts'

describe('doiAddress', () => {
  it.each([
    '10.5555/jsc.2025',
    'doi: 10.5555/jsc.2025',
    'https://doi.org/10.5555/jsc.2025',
    'http://dx.doi.org/10.5555/jsc.2025',
  ])('The stored DOI %s links to the resolver', (stored) => {
    expect(doiAddress(stored)).toBe('https://doi.org/10.5555/jsc.2025')
  })
  it('The link of a DOI always points to the resolver (DOC-11)', () => {
    expect(doiAddress('javascript:alert(1)')).toBe('https://doi.org/javascript:alert(1)')
    expect(doiAddress('10.1002/(SICI)1096<1::AID>3.0#x?y')).toBe(
      'https://doi.org/10.1002/(SICI)1096%3C1::AID%3E3.0%23x%3Fy',
    )
  })
})
