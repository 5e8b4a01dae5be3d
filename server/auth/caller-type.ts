/** The user of a request's cookie or token, according to the auth library. */
export interface Caller {
  userId: string
  email: string
  sessionId: string
  /** 'pending': the password was right, and the code of the second factor is missing. 'aal2': the code was right, too. */
  level: 'aal1' | 'aal2' | 'pending'
  expiresAt: Date
  /** The time of the last proof of identity: a password, a code or a sign-in. */
  provedAt: Date
}
