/** The caller. Only the session check creates one; `sessionId` is null where the server acts for a user (jobs). */
export interface Actor {
  userId: string
  isAdmin: boolean
}
