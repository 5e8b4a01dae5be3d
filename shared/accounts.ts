import { z } from 'zod'
import { PASSWORD_MIN_LENGTH } from './profiles.ts'

/** A password as it may be chosen. */
export const newPassword = z
  .string('Enter a password')
  .min(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`)
  .max(256, 'Password must be at most 256 characters long')

/** One place where an account is signed in. Its `id` names it and opens nothing: the token is never shown. */
export const openSession = z.object({
  id: z.string(),
  device: z.string().describe("for example 'Firefox on Linux'"),
  user_agent: z.string().nullable(),
  ip_address: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string().describe('exact to the hour'),
  expires_at: z.string(),
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof openSession>

/** Body of POST /auth/v1/change-password. Every other session of the account ends with it. */
export const passwordChange = z.object({ currentPassword: z.string().min(1), newPassword })

/** A second factor of an account. */
export const factor = z.object({
  id: z.uuid(),
  friendly_name: z.string(),
  factor_type: z.enum(['totp', 'phone']),
  issuer: z.string().nullable(),
  phone: z.string().nullable(),
  status: z.enum(['unverified', 'verified']),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Factor = z.infer<typeof factor>

/** Body of POST /auth/v1/factors. */
export const newFactor = z.object({
  friendly_name: z.string().trim().min(1, 'A factor needs a name').max(100).default('Authenticator app'),
  factor_type: z.enum(['totp', 'phone']),
  issuer: z.string().trim().min(1).max(100).optional().describe("default: the product's name"),
  phone: z.string().trim().max(40).optional(),
})

/** A factor that has just been made: the only time its secret is shown. */
export const startedFactor = factor.extend({
  totp: z.object({ secret: z.string().describe('Base32'), uri: z.string().describe('what the QR code holds') }),
})
export type StartedFactor = z.infer<typeof startedFactor>

/** Body of POST /auth/v1/factors/{id}/challenge. */
export const newChallenge = z.object({ channel: z.enum(['sms', 'whatsapp']).optional().describe('for phone factors') })
export const challenge = z.object({
  id: z.uuid(),
  factor_id: z.uuid(),
  factor_type: z.enum(['totp', 'phone']),
  expires_at: z.string(),
})

/** Body of POST /auth/v1/factors/{id}/verify. */
export const factorAnswer = z.object({
  challenge_id: z.string().min(1),
  code: z.string().trim().min(1, 'Enter the code').max(64),
})
export const verifiedFactor = z.object({
  factor,
  aal: z.enum(['aal1', 'aal2']),
  expires_at: z.string(),
  backup_codes: z.array(z.string()).nullable().describe('on the first verification, and never again'),
  backup_codes_left: z.number().int(),
})
export type VerifiedFactor = z.infer<typeof verifiedFactor>

/** What GET /auth/v1/factors says beside the factors. */
export const factorList = z.object({
  factors: z.array(factor),
  second_step: z.boolean().describe('true: the password was right, and a code is still asked for'),
  backup_codes_left: z.number().int(),
})

/** What GET /api/account says of the caller's account. */
export const accountSummary = z.object({
  projects: z.number().int(),
  documents: z.number().int(),
  has_password: z.boolean().describe('false: the deletion is confirmed with the e-mail address'),
})
export type AccountSummary = z.infer<typeof accountSummary>

/** Body of DELETE /api/account: the password, or the e-mail address of an account without one. */
export const accountDeletion = z.object({
  password: z.string().max(256).optional(),
  email: z.string().max(320).optional(),
})
export type AccountDeletion = z.infer<typeof accountDeletion>
