import { Secret, TOTP } from 'otpauth'

/** A clock can be off by one step of 30 seconds, either way. */
const DRIFT_STEPS = 1

/** SHA-1, six digits and 30 seconds, as in every authenticator app (RFC 6238). */
const totpOf = (secret: Uint8Array, owner: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...owner, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })

/** Returns the time step of a code around `now` (milliseconds); null for a wrong code. Takes constant time. */
export function findStep(secret: Uint8Array, code: string, now: number): number | null {
  // The library compares bytes of equal length only.
  if (!/^\d{6}$/.test(code)) return null
  const totp = totpOf(secret)
  const steps = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS })
  return steps === null ? null : totp.counter({ timestamp: now }) + steps
}

/** Returns the secret in Base32, and the address in the QR code for an authenticator app. */
export function describeTotp(issuer: string, account: string, secret: Uint8Array): { secret: string; uri: string } {
  const totp = totpOf(secret, { issuer, label: account })
  return { secret: totp.secret.base32, uri: totp.toString() }
}
