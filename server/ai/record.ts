import { log } from '#server/lib/log.ts'
import { BUILT_IN_MODEL } from '#shared/prompts.ts'
import type { AiContext } from './context.ts'
import { estimateTokens } from './context-window.ts'
import { callCost } from './prices.ts'

/** One request to a model, failed ones included. A retried request makes one row per try. */
export interface AiCall {
  model: string
  tokens_in: number
  tokens_out: number
  /** True where the model did not report its tokens and they were counted from the characters. */
  estimated: boolean
  /** At the list price, 0 for a built-in model; the recorder may know better. */
  cost_usd: number
  /** A model of this server itself. */
  free: boolean
  milliseconds: number
  user_id: string | null
  purpose: AiContext['purpose']
  document_id: string | null
  ok: boolean
  /** The error's code ('outside_failed', 'aborted' ...), never its words: they may hold parts of a paper. */
  error: string | null
}

type Recorder = (call: AiCall) => Promise<{ cost_usd: number } | void>

let recorder: Recorder = async () => {}

/**
 * Says where calls are written down; set once at start, so that this room knows no database. The recorder answers what
 * the call cost by the prices that are set there.
 */
export function setAiRecorder(record: Recorder): void {
  recorder = record
}

/** What is known about a call when it ends; undefined tokens are estimated from the characters. */
export interface Measured {
  model: string
  ctx: AiContext
  startedAt: number
  sent: string | number
  received: string | number
  tokensIn?: number | undefined
  tokensOut?: number | undefined
  builtIn?: boolean
  error?: string | null
}

/** Writes a call down. A recorder that fails is logged and costs nobody their answer. */
export async function recordCall(call: Measured): Promise<void> {
  const tokensIn = call.tokensIn ?? estimateTokens(call.sent)
  const tokensOut = call.tokensOut ?? estimateTokens(call.received)
  const free = call.builtIn === true || call.model === BUILT_IN_MODEL.id
  try {
    const made: AiCall = {
      model: call.model,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
      estimated: call.tokensIn === undefined || call.tokensOut === undefined,
      cost_usd: free ? 0 : callCost(call.model, tokensIn, tokensOut),
      free,
      milliseconds: Math.round(performance.now() - call.startedAt),
      user_id: call.ctx.userId,
      purpose: call.ctx.purpose,
      document_id: call.ctx.documentId ?? null,
      ok: !call.error,
      error: call.error ?? null,
    }
    const known = await recorder(made)
    call.ctx.onCall?.(known ? { ...made, ...known } : made)
  } catch (error) {
    log.error({ err: error, model: call.model, purpose: call.ctx.purpose }, 'a model call could not be recorded')
  }
}
