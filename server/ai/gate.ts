import type { AiContext } from './context.ts'

type Gate = (ctx: Pick<AiContext, 'userId' | 'purpose'>) => Promise<void>

let gate: Gate = async () => {}
const passed = new WeakSet<AiContext>()

/** Says who may start work that a provider is paid for; set once at start. It throws the AppError that refuses. */
export function setAiGate(ask: Gate): void {
  gate = ask
}

/**
 * Asked before anything goes to the provider; the built-in models cost nothing and do not ask. A piece of work has one
 * context and asks once: what was let in is finished, since half an analysis costs as much and is of no use.
 */
export async function passGate(ctx: AiContext): Promise<void> {
  if (passed.has(ctx)) return
  await gate(ctx)
  passed.add(ctx)
}
