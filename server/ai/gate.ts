import type { AiContext } from './context.ts'
import { estimateTokens } from './context-window.ts'

/**
 * A call of a model that has not started. `tokens_in` is the estimated size of the request, `tokens_out` the highest likely
 * size of the answer.
 */
export interface PlannedCall {
  userId: string | null
  documentId: string | null
  projectId: string | null
  model: string
  tokens_in: number
  tokens_out: number
  /**
   * True if an earlier call of the same context was admitted. Such a call must be admitted at any cost, so that the work can be
   * completed.
   */
  isLetIn: boolean
  signal?: AbortSignal | undefined
}

/**
 * A function that admits a call, or throws the AppError with which the call is refused. The function that it returns is called
 * when the call has been recorded.
 */
type Gate = (call: PlannedCall) => Promise<() => void>

/** The number of tokens that is assumed for the answer of a chat model before the call. Nearly all answers are shorter. */
const LONGEST_ANSWER_TOKENS = 8_000

let gate: Gate = async () => () => {}
const passed = new WeakSet<AiContext>()

/** Sets the function that admits or refuses calls that cost money. Call it once, at the start. */
export function setAiGate(ask: Gate): void {
  gate = ask
}

/**
 * Waits until the gate admits a call to a provider. Throws the error of a refused call. Call the returned function when the
 * call has been recorded. Calls of built-in models are free and not checked. The calls of one context are checked only once, so
 * that admitted work can be completed: half an analysis is useless, but costs money. A running call counts with its highest
 * likely cost, so that concurrent calls cost no more than sequential calls would.
 */
export async function passGate(
  call: { model: string; characters: number; answers: boolean },
  ctx: AiContext,
): Promise<() => void> {
  const end = await gate({
    userId: ctx.userId,
    documentId: ctx.documentId ?? null,
    projectId: ctx.projectId ?? null,
    model: call.model,
    tokens_in: estimateTokens(call.characters),
    tokens_out: call.answers ? LONGEST_ANSWER_TOKENS : 0,
    isLetIn: passed.has(ctx),
    signal: ctx.signal,
  })
  passed.add(ctx)
  return end
}
