import type { AiContext } from './context.ts'
import { estimateTokens } from './context-window.ts'

/** A call that is about to begin, with what it sends and may answer as far as can be told before it. */
export interface PlannedCall {
  userId: string | null
  model: string
  tokens_in: number
  tokens_out: number
  /** Part of a piece of work that was let in before: it is finished, whatever it costs. */
  isLetIn: boolean
  signal?: AbortSignal | undefined
}

/** Lets a call begin or throws the AppError that refuses it; what it answers is called when the call has been recorded. */
type Gate = (call: PlannedCall) => Promise<() => void>

/** Longer than nearly every answer of a chat model. */
const LONGEST_ANSWER_TOKENS = 8_000

let gate: Gate = async () => () => {}
const passed = new WeakSet<AiContext>()

/** Says who may start work that a provider is paid for; set once at start. */
export function setAiGate(ask: Gate): void {
  gate = ask
}

/**
 * Asked before a call of a provider begins; what it answers is called when the call has been recorded. The built-in models
 * cost nothing and do not ask. A piece of work has one context and is judged once: what was let in is finished, since half
 * an analysis costs as much and is of no use. A call under way counts with its highest likely cost, so that many at once
 * cost no more than one by one.
 */
export async function passGate(
  call: { model: string; characters: number; answers: boolean },
  ctx: AiContext,
): Promise<() => void> {
  const end = await gate({
    userId: ctx.userId,
    model: call.model,
    tokens_in: estimateTokens(call.characters),
    tokens_out: call.answers ? LONGEST_ANSWER_TOKENS : 0,
    isLetIn: passed.has(ctx),
    signal: ctx.signal,
  })
  passed.add(ctx)
  return end
}
