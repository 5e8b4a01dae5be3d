import { seg } from './address-parts.ts'

/**
 * Name of an entry in the Server-Timing header of the page, which the server adds if the request has a session cookie. It tells
 * scripts, which cannot read this cookie, that the user is probably signed in.
 */
export const SESSION_TIMING = 'session'

/** Addresses of the calls that sign in and change an account, under `/auth/v1`. */
export const signInApi = {
  signUp: () => '/auth/v1/sign-up/email',
  signIn: () => '/auth/v1/sign-in/email',
  signOut: () => '/auth/v1/sign-out',
  session: () => '/auth/v1/get-session',
  requestPasswordReset: () => '/auth/v1/request-password-reset',
  resetPassword: () => '/auth/v1/reset-password',
  verifyEmail: () => '/auth/v1/verify-email',
  signInSocial: () => '/auth/v1/sign-in/social',
  sessions: () => '/auth/v1/list-sessions',
  revokeSession: () => '/auth/v1/revoke-session',
  revokeOtherSessions: () => '/auth/v1/revoke-other-sessions',
  changePassword: () => '/auth/v1/change-password',
  confirmPassword: () => '/auth/v1/confirm-password',
  factors: () => '/auth/v1/factors',
  factor: (id: string) => `/auth/v1/factors/${seg(id)}`,
  factorChallenge: (id: string) => `/auth/v1/factors/${seg(id)}/challenge`,
  factorVerify: (id: string) => `/auth/v1/factors/${seg(id)}/verify`,
  factorBackupCodes: (id: string) => `/auth/v1/factors/${seg(id)}/backup-codes`,
}
