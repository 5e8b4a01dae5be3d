import { z } from 'zod'
import { PASSWORD_MIN_LENGTH } from './profiles.ts'
import { projectRole } from './roles.ts'

/** Rules for a new password. */
export const newPassword = z
  .string('Enter a password')
  .min(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`)
  .max(256, 'Password must be at most 256 characters long')

/** The e-mail address of a new account. */
export const newEmail = z.email('Enter a valid e-mail address').max(254)

/** A signed-in session of an account. `id` is not the session token; the token is never returned. */
export const openSession = z.object({
  id: z.string(),
  device: z.string().describe("for example 'Firefox on Linux'"),
  user_agent: z.string().nullable(),
  ip_address: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string().describe('with a resolution of one hour'),
  expires_at: z.string(),
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof openSession>

/** Body of POST /auth/v1/change-password, which ends all other sessions of the account. */
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

/**
 * Body of POST /auth/v1/factors, which begins to add a second factor for signing in: an authenticator app (totp) or a phone.
 */
export const newFactor = z.object({
  friendly_name: z.string().trim().min(1, 'Enter a name for the factor').max(100).default('Authenticator app'),
  factor_type: z.enum(['totp', 'phone']),
  issuer: z.string().trim().min(1).max(100).optional().describe("default: the product's name"),
  phone: z.string().trim().max(40).optional(),
})

/** A new second factor, an authenticator app. Only this response contains the secret from which the app computes its codes. */
export const startedFactor = factor.extend({
  totp: z.object({ secret: z.string().describe('Base32'), uri: z.string().describe('content of the QR code') }),
})
export type StartedFactor = z.infer<typeof startedFactor>

/** Body of POST /auth/v1/factors/{id}/challenge, which starts the check of a code of this second factor. */
export const newChallenge = z.object({ channel: z.enum(['sms', 'whatsapp']).optional().describe('for phone factors') })
export const challenge = z.object({
  id: z.uuid(),
  factor_id: z.uuid(),
  factor_type: z.enum(['totp', 'phone']),
  expires_at: z.string(),
})

/** Body of POST /auth/v1/factors/{id}/verify, which checks a code of this second factor. */
export const factorAnswer = z.object({
  challenge_id: z.string().min(1),
  code: z.string().trim().min(1, 'Enter the code').max(64),
})
export const verifiedFactor = z.object({
  factor,
  aal: z.enum(['aal1', 'aal2']),
  expires_at: z.string(),
  backup_codes: z.array(z.string()).nullable().describe('only in the response of the first verification'),
  backup_codes_left: z.number().int(),
})
export type VerifiedFactor = z.infer<typeof verifiedFactor>

/** Response of GET /auth/v1/factors. */
export const factorList = z.object({
  factors: z.array(factor),
  second_step: z.boolean().describe('true: the password was accepted, and a code is still required'),
  backup_codes_left: z.number().int(),
})

/** A project that has other members and of which the caller is the only owner. */
const ownedProject = z.object({
  id: z.uuid(),
  name: z.string(),
  members: z
    .array(z.object({ user_id: z.string(), name: z.string(), role: projectRole }))
    .describe('the other members, the highest role and the longest membership first'),
})
export type OwnedProject = z.infer<typeof ownedProject>

/**
 * Error when a request to delete an account does not name a successor for each shared project, or names a user who is not a
 * member of the project.
 */
export const SUCCESSORS_NEEDED = 'Choose a new owner for each project that has other members.'

/** Response of GET /api/account: the caller's own account. */
export const accountSummary = z.object({
  projects: z.number().int(),
  owned_projects: z
    .array(ownedProject)
    .describe('projects with other members and no other owner: the deletion needs a successor of each'),
  documents: z.number().int(),
  has_password: z.boolean().describe('false: the e-mail address confirms the deletion'),
})
export type AccountSummary = z.infer<typeof accountSummary>

/** Body of DELETE /api/account: the password, or the e-mail address of an account without a password. */
export const accountDeletion = z.object({
  password: z.string().max(256).optional(),
  email: z.string().max(320).optional(),
  successors: z
    .record(z.uuid(), z.string().nullable())
    .optional()
    .describe('the new owner of each of owned_projects, by the id of the project; null deletes the project'),
})
export type AccountDeletion = z.infer<typeof accountDeletion>
