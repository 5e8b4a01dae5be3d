/** The user of a request's cookie or token, according to the auth library. */
export interface Caller {
  userId: string
  email: string
  sessionId: string
  /** 'pending': the password was right, and the code is missing. */
  level: 'aal1' | 'aal2' | 'pending'
  expiresAt: Date
  /** The last proof of identity: password, code or sign-in. */
  provedAt: Date
}
