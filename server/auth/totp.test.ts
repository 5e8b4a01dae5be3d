import { describe, expect, it } from 'vitest'
import { describeTotp, findStep } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const stepOf = (second: number) => Math.floor(second / 30)

describe('TOTP', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
  ])('TOTP codes match RFC 6238 at second %i', (second, code) => {
    expect(findStep(secret, code, second * 1000)).toBe(stepOf(second))
  })

  it('TOTP codes are accepted one step before and after now, and no further', () => {
    const second = 1111111111
    const code = '050471'
    for (const [steps, found] of [
      [-2, null],
      [-1, stepOf(second)],
      [0, stepOf(second)],
      [1, stepOf(second)],
      [2, null],
    ] as const)
      expect(findStep(secret, code, (second + steps * 30) * 1000)).toBe(found)
    for (const wrong of ['', '12345', '0504711', 'abcdef', '×××××', '××××××'])
      expect(findStep(secret, wrong, second * 1000)).toBeNull()
  })

  it('TOTP secrets are encoded in Base32 and in the URL of the QR code', () => {
    const { secret: text, uri } = describeTotp('Reading Room', 'a@b.org', secret)
    expect(text).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(describeTotp('x', 'y', Buffer.from('f')).secret).toBe('MY')
    const { protocol, host, pathname, searchParams } = new URL(uri)
    expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', '/Reading Room:a@b.org'])
    expect(Object.fromEntries(searchParams)).toEqual({
      secret: text,
      issuer: 'Reading Room',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
