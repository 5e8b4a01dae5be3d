import { type AiContext, judgePairs, type Verdict } from '#server/ai/index.ts'
import type { FoundEvidence } from '#server/evidence/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'

/** A sentence of an answer whose quotes were found in the papers. */
export interface Quoted {
  text: string
  group: string | null
  evidence: readonly FoundEvidence[]
  /** The verdict about each quote, if the sentence comes from a stored output; undefined if the quotes are not checked yet. */
  verdicts?: readonly (Verdict | null)[]
}

/**
 * Creates a check that asks a model whether quotes support their sentences. `add` of the result adds a sentence, and `finish`
 * waits for all sentences. `accept` receives each sentence with one verdict for each quote, in the order in which the sentences
 * were added. Sentences that are added during a call of the model are checked together in the next call. If `model` is null or
 * the call fails, a sentence keeps the verdicts that it already has; without any, all its verdicts are null. The model is not
 * called if all sentences of the call already have verdicts.
 */
export function createSupportCheck(
  model: string | null,
  ctx: AiContext,
  accept: (checked: Quoted, verdicts: readonly (Verdict | null)[]) => Promise<void>,
) {
  let waiting: Quoted[] = []
  let last: Promise<void> = Promise.resolve()
  const checkWaiting = async () => {
    const batch = waiting
    waiting = []
    const verdicts = await judge(batch)
    for (const [at, one] of batch.entries()) await accept(one, verdicts[at]!)
  }
  const judge = async (batch: readonly Quoted[]) => {
    const given = batch.map(({ evidence, verdicts }) => verdicts ?? evidence.map(() => null))
    if (model === null || batch.every(({ verdicts }) => verdicts)) return given
    const pairs = batch.flatMap(({ text, evidence }) => evidence.map(({ quote }) => ({ sentence: text, quote })))
    try {
      const found = (await judgePairs(pairs, model, ctx)).values()
      return batch.map(({ evidence }) => evidence.map(() => found.next().value ?? null))
    } catch (error) {
      ctx.signal?.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      log.warn({ err: error }, 'the support of sentences could not be checked')
      return given
    }
  }
  return {
    add(quoted: Quoted): void {
      waiting.push(quoted)
      last = last.then(checkWaiting)
      // `finish` reports the error.
      last.catch(() => undefined)
    },
    /** Resolves when all sentences are checked. Throws the first error. */
    finish: () => last,
  }
}
