/** Who asks. Made by the session check alone; `sessionId` is null where the server itself acts for a person (jobs). */
export interface Actor {
  userId: string
  isAdmin: boolean
}
