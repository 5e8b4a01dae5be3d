import { log } from '#server/lib/log.ts'
import { aiCalls, aiDollars, aiSeconds, aiTokens } from '#server/lib/metrics.ts'
import { recordSpan } from '#server/lib/tracing.ts'
import type { AiCall } from './ai-call.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import type { AiContext } from './context.ts'
import { estimateTokens } from './context-window.ts'
import { modelLabel } from './models.ts'
import { callCost } from './prices.ts'
import { providerUrl } from './provider.ts'

type Recorder = (call: AiCall) => Promise<{ cost_usd: number } | void>

let recorder: Recorder = async () => {}

/**
 * Sets the recorder of calls. Call it once, at the start. The recorder stores a call, so that server/ai does not depend on the
 * database, and can return the cost at the prices that admins set.
 */
export function setAiRecorder(record: Recorder): void {
  recorder = record
}

/**
 * The outcome of a call. `startedAt` is a value of performance.now(). `sent` and `received` are texts or their numbers of
 * characters. Undefined token counts are estimated from the characters, unless the call failed before any output arrived.
 */
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

/** Records a call of a model. An error of the recorder is logged and does not affect the caller. */
export async function recordCall(call: Measured): Promise<void> {
  const used = countTokens(call)
  const free = call.builtIn === true || call.model === BUILT_IN_MODEL.id
  try {
    const made: AiCall = {
      model: call.model,
      ...used,
      cost_usd: free ? 0 : callCost(call.model, used.tokens_in, used.tokens_out),
      free,
      milliseconds: Math.round(performance.now() - call.startedAt),
      user_id: call.ctx.userId,
      purpose: call.ctx.purpose,
      document_id: call.ctx.documentId ?? null,
      project_id: call.ctx.projectId ?? null,
      ok: !call.error,
      error: call.error ?? null,
    }
    count(made)
    recordSpan(spanOf(made), call.startedAt, made.error)
    const known = await recorder(made)
    aiDollars.inc(labelsOf(made), known?.cost_usd ?? made.cost_usd)
    call.ctx.onCall?.(known ? { ...made, ...known } : made)
  } catch (error) {
    log.error({ err: error, model: call.model, purpose: call.ctx.purpose }, 'a model call could not be recorded')
  }
}

const labelsOf = ({ free, model, purpose }: AiCall) => ({
  provider: free ? 'built-in' : new URL(providerUrl()).host,
  // The name of a model that runs on this server comes from the product or the settings, never from a user.
  model: free ? model : modelLabel(model),
  purpose,
})

const spanOf = (call: AiCall) => ({
  name: `${call.purpose} ${labelsOf(call).model}`,
  kind: 'client' as const,
  attributes: {
    'gen_ai.provider.name': labelsOf(call).provider,
    'gen_ai.request.model': labelsOf(call).model,
    'gen_ai.usage.input_tokens': call.tokens_in,
    'gen_ai.usage.output_tokens': call.tokens_out,
  },
})

function count(call: AiCall): void {
  const labels = labelsOf(call)
  aiCalls.inc({ ...labels, outcome: call.error ?? 'ok' })
  aiTokens.inc({ ...labels, direction: 'in' }, call.tokens_in)
  aiTokens.inc({ ...labels, direction: 'out' }, call.tokens_out)
  aiSeconds.observe(labels, call.milliseconds / 1000)
}

/**
 * Returns the tokens that a call used: the provider's counts if it reported them, else estimates. If a call failed without
 * output, unreported counts are 0: providers do not charge for requests that they refuse, and estimates would use up budgets
 * during an outage.
 */
function countTokens({ tokensIn, tokensOut, sent, received, error }: Measured) {
  const isSilent = received === 0 || received === ''
  if (error && isSilent) return { tokens_in: tokensIn ?? 0, tokens_out: tokensOut ?? 0, estimated: false }
  return {
    tokens_in: tokensIn ?? estimateTokens(sent),
    tokens_out: tokensOut ?? estimateTokens(received),
    estimated: tokensIn === undefined || tokensOut === undefined,
  }
}
