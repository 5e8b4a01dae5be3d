import { Secret, TOTP } from 'otpauth'

/**
 * Returns the code (TOTP) that an authenticator app currently shows for a Base32 secret. `later`: the number of time steps of
 * 30 seconds by which the code is later.
 */
export const codeFor = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })
