import type { AiPurpose } from '#shared/contract/usage.ts'
import type { AiCall } from './ai-call.ts'

/**
 * The context of a call to a model: the user and the purpose, which are recorded with the call, and a signal that aborts it.
 */
export interface AiContext {
  userId: string | null
  purpose: AiPurpose
  documentId?: string | null
  /** The project that the call is for, if it has no document. */
  projectId?: string | null
  signal?: AbortSignal
  /** Called after every call, with its cost. */
  onCall?: (call: AiCall) => void
}
