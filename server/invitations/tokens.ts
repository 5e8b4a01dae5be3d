import { createHash, randomBytes } from 'node:crypto'

/** Returns a new token for an invitation link, with 192 random bits. */
export const newToken = () => randomBytes(24).toString('base64url')

/** Returns the stored form of a token. A random token needs no salt and no slow hash. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
