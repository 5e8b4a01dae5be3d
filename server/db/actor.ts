/** The caller. Only the session check creates one; `sessionId` is null where the server acts for a user (jobs). */
export interface Actor {
  userId: string
  isAdmin: boolean
}

/** Returns the actor of work that the server does for a user without a session: only the rows of that user, no admin right. */
export const actorFor = (userId: string): Actor => ({ userId, isAdmin: false })
