import type { AiPurpose } from '#shared/usage.ts'
import type { AiCall } from './record.ts'

/** Who asks and why: every call is recorded under it, and stops when `signal` fires. */
export interface AiContext {
  userId: string | null
  purpose: AiPurpose
  documentId?: string | null
  signal?: AbortSignal
  /** Hears of every call that was made, with what it cost. */
  onCall?: (call: AiCall) => void
}
