import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_START } from '#shared/contract/api-keys.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^(lct_[0-9A-Za-z]{8})_[\w-]{43}([0-9A-Za-z]{6})$/

/**
 * Returns a new key and its prefix. A key is `lct_`, eight characters, `_`, 32 random bytes in base64url, and a checksum of six
 * characters. By this form, secret scanners recognize keys.
 */
export function newKeyText(): { key: string; prefix: string } {
  const prefix = KEY_START + Array.from(randomBytes(8), (byte) => DIGITS[byte % DIGITS.length]).join('')
  const body = `${prefix}_${randomBytes(32).toString('base64url')}`
  return { key: body + checksumOf(body), prefix }
}

/**
 * Returns the prefix of an API key: the part before the random bytes. Returns null for a text without the form or checksum of a
 * key.
 */
export function prefixOf(text: string): string | null {
  const [, prefix = '', checksum] = FORM.exec(text) ?? []
  return checksum !== undefined && checksumOf(text.slice(0, -6)) === checksum ? prefix : null
}

/** Returns the stored form of a key. A key has 256 random bits, so it needs no salt and no slow hash. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Returns the CRC-32 of a text in base 62. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits = DIGITS[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Returns the key in the Authorization header, whether valid or not; null without one. */
export const keyIn = (headers: Headers): string | null =>
  /^bearer\s+(lct_\S*)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
