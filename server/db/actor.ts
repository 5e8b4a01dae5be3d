import type { KeyScope } from '#shared/contract/api-keys.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'

/** Restrictions of an API key. The database applies them to every row, too. */
interface KeyLimits {
  id: string
  scopes: readonly KeyScope[]
  /** The rights in projects that the scopes of the key allow. */
  rights: readonly ProjectRight[]
  /** The ids of the projects of the key; null: every project of the user, and papers without a project. */
  projects: readonly string[] | null
}

/**
 * The user for whom the code runs. Only the checks of sessions and API keys create an actor, and `actorFor` for work of the
 * server.
 */
export interface Actor {
  userId: string
  isAdmin: boolean
  /** Present if the request has an API key. */
  key?: KeyLimits
}

/** Returns the actor of work that the server does for a user without a session: only the rows of that user, no admin right. */
export const actorFor = (userId: string): Actor => ({ userId, isAdmin: false })
