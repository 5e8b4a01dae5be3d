import type { AiContext } from './context.ts'
import { estimateTokens } from './context-window.ts'

/** A call before its start. `tokens_in` and `tokens_out`: the estimated size of the request, the highest likely of the answer. */
export interface PlannedCall {
  userId: string | null
  documentId: string | null
  projectId: string | null
  model: string
  tokens_in: number
  tokens_out: number
  /** True if an earlier call of the same context was admitted: admitted work runs to its end at any cost. */
  isLetIn: boolean
  signal?: AbortSignal | undefined
}

/**
 * Admits a call or throws the AppError that refuses it. The returned function is called when the call has been
 * recorded.
 */
type Gate = (call: PlannedCall) => Promise<() => void>

/** Longer than nearly all answers of chat models. */
const LONGEST_ANSWER_TOKENS = 8_000

let gate: Gate = async () => () => {}
const passed = new WeakSet<AiContext>()

/** Sets the function that admits or refuses calls that cost money. Call it once, at the start. */
export function setAiGate(ask: Gate): void {
  gate = ask
}

/**
 * Waits until the gate admits a call to a provider. Throws the error of a refused call. Call the returned function when
 * the call has been recorded. Built-in models are free and not checked. All calls of one context are checked once:
 * admitted work runs to its end, because half an analysis costs as much and is useless. A running call counts with its
 * highest likely cost, so that concurrent calls cost no more than sequential calls.
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
