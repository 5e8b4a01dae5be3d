import { Secret, TOTP } from 'otpauth'

/** Number of 30-second steps by which the clock of the user's device can be wrong, in either direction. */
const DRIFT_STEPS = 1

/** Returns a generator of codes with SHA-1, six digits and steps of 30 seconds, as in every authenticator app (RFC 6238). */
const totpOf = (secret: Uint8Array, owner: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...owner, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })

/**
 * Returns the number of the 30-second step to which a code belongs, or null if no step near `now` (milliseconds) has this code.
 * Compares codes in constant time.
 */
export function findStep(secret: Uint8Array, code: string, now: number): number | null {
  // The library compares bytes of equal length only.
  if (!/^\d{6}$/.test(code)) return null
  const totp = totpOf(secret)
  const steps = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS })
  return steps === null ? null : totp.counter({ timestamp: now }) + steps
}

/** Returns the secret in Base32, and the otpauth:// address that the QR code for an authenticator app contains. */
export function describeTotp(issuer: string, account: string, secret: Uint8Array): { secret: string; uri: string } {
  const totp = totpOf(secret, { issuer, label: account })
  return { secret: totp.secret.base32, uri: totp.toString() }
}
