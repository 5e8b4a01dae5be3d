import type { AiPurpose } from '#shared/contract/usage.ts'

/** One request to a model, including failed ones. A retried request has one row per try. */
export interface AiCall {
  model: string
  tokens_in: number
  tokens_out: number
  /** True when the model reported no token counts and they were estimated from the characters. */
  estimated: boolean
  /** At the list price, 0 for a built-in model; the recorder can correct it. */
  cost_usd: number
  /** A model that runs on this server. */
  free: boolean
  milliseconds: number
  user_id: string | null
  purpose: AiPurpose
  document_id: string | null
  project_id: string | null
  ok: boolean
  /** The error's code ('outside_failed', 'aborted' ...), never its message, which can contain parts of a paper. */
  error: string | null
}
