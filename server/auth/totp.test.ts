import { describe, expect, it } from 'vitest'
import { base32, findStep, stepOf, totpCode, totpUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('TOTP', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
  ])('TOTP codes match RFC 6238 at second %i', (second, code) => {
    expect(totpCode(secret, stepOf(second * 1000))).toBe(code)
  })

  it('TOTP codes are accepted one step before and after now, and no further', () => {
    const now = 1111111111000
    for (const [step, found] of [
      [-2, null],
      [-1, stepOf(now) - 1],
      [0, stepOf(now)],
      [1, stepOf(now) + 1],
      [2, null],
    ] as const)
      expect(findStep(secret, totpCode(secret, stepOf(now) + step), now)).toBe(found)
    for (const wrong of ['', '12345', '0504711', 'abcdef', '×××××']) expect(findStep(secret, wrong, now)).toBeNull()
  })

  it('TOTP secrets are encoded in Base32 and in the URL of the QR code', () => {
    expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(base32(Buffer.from('f'))).toBe('MY')
    expect(totpUri('Reading Room', 'a@b.org', 'MY')).toBe(
      'otpauth://totp/Reading%20Room:a%40b.org?secret=MY&issuer=Reading%20Room&algorithm=SHA1&digits=6&period=30',
    )
  })
})
