import type { AiPurpose } from '#shared/contract/usage.ts'

/** The record of one request to a model, successful or failed. Each try of a retried request has its own record. */
export interface AiCall {
  model: string
  tokens_in: number
  tokens_out: number
  /** True when the model reported no token counts and they were estimated from the characters. */
  estimated: boolean
  /**
   * US dollars at the model's list price, or at a default price if none is known; 0 for a built-in model. The recorder (see
   * setAiRecorder) can replace it.
   */
  cost_usd: number
  /** True for a model that runs on this server. */
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

/** Returns the sums of the token counts and costs of several calls. */
export function sumCalls(calls: readonly AiCall[]): Pick<AiCall, 'tokens_in' | 'tokens_out' | 'cost_usd'> {
  const sum = (name: 'tokens_in' | 'tokens_out' | 'cost_usd') => calls.reduce((total, call) => total + call[name], 0)
  return { tokens_in: sum('tokens_in'), tokens_out: sum('tokens_out'), cost_usd: sum('cost_usd') }
}
