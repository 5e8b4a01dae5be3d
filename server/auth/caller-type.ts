/** The user of a request's cookie or token, according to the auth library. */
export interface Caller {
  userId: string
  email: string
  sessionId: string
  /**
   * 'pending': the user has entered the right password but not yet a code of the second factor. 'aal2': the user has entered
   * both.
   */
  level: 'aal1' | 'aal2' | 'pending'
  expiresAt: Date
  /** The time of the last proof of identity: a password, a code or a sign-in. */
  provedAt: Date
}
