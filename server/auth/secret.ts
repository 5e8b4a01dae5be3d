import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Returns the secret of the server: the setting AUTH_SECRET, or the content of a file under DATA_DIR, which the first start
 * creates with mode 600.
 */
export function authSecret(): string {
  if (env.AUTH_SECRET) return env.AUTH_SECRET
  const file = join(env.DATA_DIR, 'auth-secret')
  if (!existsSync(file)) {
    mkdirSync(env.DATA_DIR, { recursive: true })
    try {
      writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return readFileSync(file, 'utf8').trim()
}

const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', authSecret(), '', `lectern ${use}`, 32))

/** The uses of stored secrets. Each use has its own encryption key. */
type SealedUse = 'factor' | 'zotero key'

/**
 * Encrypts bytes for storage in the database, so that a copy of the database alone reveals no secrets. `use` is the kind of
 * data; each kind has its own key.
 */
export function seal(plain: Uint8Array, use: SealedUse): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor(use), iv)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/**
 * Decrypts a text that `seal` has encrypted for storage in the database. `use` is the kind of data, which selects the key.
 * Returns null if the text was encrypted with another server secret or for another use.
 */
export function unseal(sealed: string, use: SealedUse): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url')
  const cipher = createDecipheriv('aes-256-gcm', keyFor(use), bytes.subarray(0, IV_BYTES))
  cipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()])
  } catch {
    return null
  }
}

/**
 * Returns the signature of a mark, a random value (`nonce`) that identifies a browser and is stored in its device cookie (see
 * device-cookie.ts). `subject` identifies the account, the hash of its password and the second factor.
 */
export const signDevice = (nonce: string, subject: string) =>
  createHmac('sha256', keyFor('device cookie')).update(`${nonce} ${subject}`).digest('base64url')

/** Returns the stored form of a backup code: a hash of its letters and digits with a key of the server. */
export const hashBackupCode = (code: string) =>
  createHmac('sha256', keyFor('backup code'))
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest('base64url')
