import { Secret, TOTP } from 'otpauth'

/**
 * Returns the code that an authenticator app shows for a Base32 secret now, or `later` time steps of 30 seconds later.
 */
export const codeFor = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })
