import type { AiPurpose } from '#shared/contract/usage.ts'
import type { AiCall } from './ai-call.ts'

/** User and purpose of a call, for its record; the call aborts when `signal` fires. */
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
