import { randomBytes, randomInt } from 'node:crypto'
import { asSystem, type Tx } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { countCall, forgetCalls } from '#server/http/rate-limit-queries.ts'
import { touchSignIn } from '#server/profiles/index.ts'
import type { Factor, factorList, newFactor, StartedFactor, VerifiedFactor } from '#shared/contract/accounts.ts'
import type { z } from 'zod'
import type { Caller } from './caller-type.ts'
import {
  countBackupCodes,
  countTry,
  deleteChallenge,
  deleteFactor,
  type FactorRow,
  findFactors,
  hasVerifiedFactor,
  insertChallenge,
  insertFactor,
  lockFactor,
  replaceBackupCodes,
  takeBackupCode,
  updateFactor,
} from './factor-queries.ts'
import { requireFreshProof } from './proof.ts'
import { hashBackupCode, seal, unseal } from './secret.ts'
import { deleteOtherSessions, levelAll, setLevel } from './session-queries.ts'
import { hashToken, newToken } from './session-tokens.ts'
import { describeTotp, findStep } from './totp.ts'

const CHALLENGE_MS = 5 * 60_000
const TRIES_A_CHALLENGE = 5
/** Consecutive wrong codes that lock the factor for a while, across all challenges and sessions. */
const FAILURES_ALLOWED = 10
const LOCKED_MS = 15 * 60_000
const BACKUP_CODES = 10
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the caller's second factors, whether the session still needs a code, and the number of unused backup codes. */
export const listFactors = (caller: Caller): Promise<z.infer<typeof factorList>> =>
  asSystem(async (tx) => ({
    factors: (await findFactors(tx, caller.userId)).map(presentFactor),
    second_step: caller.level === 'pending',
    backup_codes_left: await countBackupCodes(tx, caller.userId),
  }))

/** Returns the second factors of an account, without their secrets. */
export const factorsOf = async (userId: string): Promise<Factor[]> =>
  (await asSystem((tx) => findFactors(tx, userId))).map(presentFactor)

/** Returns whether this account has a verified second factor. */
export const needsSecondStep = (userId: string): Promise<boolean> => asSystem((tx) => hasVerifiedFactor(tx, userId))

/**
 * Creates a second factor. It is inactive until the user enters a right code. Throws 'conflict' if the caller has a verified
 * factor, 'proof_required' without a recent proof of identity, and 'not_configured' for a phone factor.
 */
export async function startFactor(caller: Caller, input: z.infer<typeof newFactor>): Promise<StartedFactor> {
  if (input.factor_type === 'phone') throw noGateway()
  requireFreshProof(caller)
  const secret = randomBytes(20)
  const issuer = input.issuer ?? env.PRODUCT_NAME
  const row = await asSystem(async (tx) => {
    if (await hasVerifiedFactor(tx, caller.userId))
      throw new AppError('conflict', 'A second factor is set up already. Turn it off before you set up another one.')
    const { friendly_name } = input
    return insertFactor(tx, {
      user_id: caller.userId,
      friendly_name,
      factor_type: 'totp',
      issuer,
      secret: seal(secret, 'factor'),
    })
  })
  return {
    ...presentFactor(row),
    totp: describeTotp(issuer, caller.email, secret),
  }
}

/**
 * Removes a second factor. To remove a verified factor, the session needs level aal2 (signed in with a code) and a recent proof
 * of identity. Throws 'forbidden' or 'proof_required' without them.
 */
export const removeFactor = (caller: Caller, id: string): Promise<Factor> =>
  asSystem(async (tx) => {
    const row = await requireFactor(tx, caller, id)
    if (row.status === 'verified' && caller.level !== 'aal2')
      throw new AppError('forbidden', 'Sign in with your second factor before you turn it off.')
    if (row.status === 'verified') requireFreshProof(caller)
    await deleteFactor(tx, row.id)
    if (row.status === 'verified') await levelAll(tx, caller.userId)
    return presentFactor(row)
  })

/**
 * Starts and returns a challenge (a request for a code) of a second factor. The same session can answer the challenge with a
 * code of the factor within five minutes.
 */
export const startChallenge = (caller: Caller, id: string) =>
  asSystem(async (tx) => {
    const row = await requireFactor(tx, caller, id)
    if (row.factor_type === 'phone') throw noGateway()
    const made = await insertChallenge(tx, {
      factor_id: row.id,
      session_id: caller.sessionId,
      expires_at: new Date(Date.now() + CHALLENGE_MS),
    })
    return {
      id: made.id,
      factor_id: row.id,
      factor_type: row.factor_type,
      expires_at: made.expires_at.toISOString(),
    }
  })

/**
 * Checks a code of a second factor. The first right code activates a new factor, creates backup codes and ends all other
 * sessions. A right code completes a sign-in that waits for it; the returned `token` then replaces the session's token. Wrong
 * codes are counted for the browser by `device`, its mark (a signed random value in the device cookie). For a browser without a
 * mark, they are counted for the factor, so that another person's guesses do not lock out the user's own browser. Errors are
 * thrown after the commit, which stores the count.
 */
export async function verifyFactor(
  caller: Caller,
  id: string,
  input: { code: string; challenge_id: string; device: string | null },
): Promise<{ verified: VerifiedFactor; token: string | null }> {
  const token = caller.level === 'pending' ? newToken() : null
  const outcome = await asSystem(async (tx): Promise<VerifiedFactor | AppError> => {
    const row = await requireFactor(tx, caller, id)
    const { device } = input
    if (device === null && isLocked(row.locked_until)) return tooMany(row.locked_until)
    // Counted before the check, and deleted after a right code.
    const tries =
      device === null ? null : await countCall(tx, deviceKey(device), { windowMs: LOCKED_MS, now: Date.now() })
    if (tries && tries.count > FAILURES_ALLOWED) return tooMany(new Date(tries.since + LOCKED_MS))
    const wanted = { id: input.challenge_id, factorId: row.id, sessionId: caller.sessionId, limit: TRIES_A_CHALLENGE }
    if (!UUID.test(input.challenge_id) || !(await countTry(tx, wanted)))
      return new AppError('refused', 'This check has expired. Start a new one.')
    const change = await judge(tx, row, input.code)
    if (!change) return device === null ? await countFailure(tx, row) : wrongCode()
    await deleteChallenge(tx, input.challenge_id)
    const isNew = row.status === 'unverified'
    if (isNew && (await hasVerifiedFactor(tx, caller.userId)))
      return new AppError('conflict', 'A second factor is set up already.')
    if (device !== null) await forgetCalls(tx, deviceKey(device))
    const taken = {
      ...change,
      status: 'verified' as const,
      // A right code from a known device does not reset the count of wrong codes from other browsers.
      ...(device === null ? { failures: 0, locked_until: null } : {}),
    }
    const factor = presentFactor(await updateFactor(tx, row.id, taken))
    await setLevel(tx, caller.sessionId, 'aal2', token ? hashToken(token) : undefined)
    if (caller.level === 'pending') await touchSignIn(tx, caller.userId)
    if (isNew) await deleteOtherSessions(tx, caller.userId, caller.sessionId)
    const backup_codes = isNew ? await newBackupCodes(tx, row.id) : null
    const backup_codes_left = await countBackupCodes(tx, caller.userId)
    return { factor, aal: 'aal2', expires_at: caller.expiresAt.toISOString(), backup_codes, backup_codes_left }
  })
  if (outcome instanceof AppError) throw outcome
  return { verified: outcome, token }
}

/** Replaces all backup codes of a verified factor and returns the new codes. */
export const renewBackupCodes = (caller: Caller, id: string): Promise<string[]> =>
  asSystem(async (tx) => {
    const row = await requireFactor(tx, caller, id)
    if (row.status !== 'verified') throw new AppError('refused', 'This factor is not verified yet.')
    requireFreshProof(caller)
    return newBackupCodes(tx, row.id)
  })

/**
 * Returns the values of the factor that a right code changes, or null for a wrong code. Accepts a code of six digits that is
 * newer than the last accepted code, or an unused backup code.
 */
async function judge(tx: Tx, row: FactorRow, code: string): Promise<{ last_step?: number } | null> {
  const digits = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(digits)) return (await takeBackupCode(tx, row.id, hashBackupCode(code))) ? {} : null
  const secret = unseal(row.secret, 'factor')
  const step = secret && findStep(secret, digits, Date.now())
  if (step === null) return null
  // A code is accepted once, and no earlier one after it.
  return step > row.last_step ? { last_step: step } : null
}

async function countFailure(tx: Tx, row: FactorRow): Promise<AppError> {
  const failures = row.failures + 1
  const locked_until = failures >= FAILURES_ALLOWED ? new Date(Date.now() + LOCKED_MS) : null
  await updateFactor(tx, row.id, { failures: locked_until ? 0 : failures, locked_until })
  return locked_until ? tooMany(locked_until) : wrongCode()
}

const wrongCode = () => new AppError('refused', 'This code is wrong, or has been used already.')

/**
 * Returns the key under which wrong codes from a browser are counted. `device` is the browser's mark (a signed random value in
 * the device cookie). The key is a hash, so that the database does not contain the mark itself.
 */
const deviceKey = (device: string) => `code:${hashToken(device)}`

const isLocked = (until: Date | null): until is Date => until !== null && until.getTime() > Date.now()

async function newBackupCodes(tx: Tx, factorId: string): Promise<string[]> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const word = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  const codes = Array.from({ length: BACKUP_CODES }, () => `${word()}-${word()}`)
  await replaceBackupCodes(tx, factorId, codes.map(hashBackupCode))
  return codes
}

async function requireFactor(tx: Tx, caller: Caller, id: string): Promise<FactorRow> {
  const row = UUID.test(id) ? await lockFactor(tx, caller.userId, id) : undefined
  // A session that waits for its second step can use a verified factor only.
  if (!row || (caller.level === 'pending' && row.status !== 'verified')) throw notFound('Factor')
  return row
}

const noGateway = () =>
  new AppError('not_configured', 'Codes by phone are not configured: this server has no SMS gateway.')

const tooMany = (until: Date) =>
  new AppError('too_many', 'Too many wrong codes. Try again in 15 minutes.', {
    retryAfter: Math.ceil((until.getTime() - Date.now()) / 1000),
  })

const presentFactor = (row: FactorRow): Factor => ({
  id: row.id,
  friendly_name: row.friendly_name,
  factor_type: row.factor_type,
  issuer: row.issuer,
  phone: null,
  status: row.status,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
