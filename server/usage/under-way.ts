import { setTimeout } from 'node:timers/promises'
import { callCost, type PlannedCall } from '#server/ai/index.ts'
import { asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { findBudgets, sumMonth } from './budget-queries.ts'
import { findSetPrice } from './price-queries.ts'

/** How long a call waits for others whose cost may exceed the budget. */
const WAIT_MS = 120_000
/** Longer than any call; a call that never ended stops counting after this. */
const LONGEST_CALL_MS = 30 * 60_000

interface UnderWay {
  userId: string | null
  dollars: number
  since: number
}

/** Calls of this process that are not in the table yet. Other servers on the same database count their own. */
const underWay = new Set<UnderWay>()
let oneEnds = Promise.withResolvers<void>()
/** Serialises the budget checks, so that each sees the calls before it. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Admits a call that costs money. Throws 'over_budget' when a budget of this month is used up. When calls under way may
 * use up the rest of a budget, waits until one of them has ended and its cost is known.
 */
export async function beginPaidCall(call: PlannedCall): Promise<() => void> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    call.signal?.throwIfAborted()
    // Subscribed before the check, so that a call that ends meanwhile is not missed.
    const ended = oneEnds.promise
    const judged = turn.then(() => judge(call))
    turn = judged.catch(() => undefined)
    const begun = await judged
    if (begun) return () => end(begun)
    const left = until - performance.now()
    if (left <= 0) throw new AppError('over_budget', STILL_UNDER_WAY)
    await eitherOf(ended, left, call.signal)
  }
}

const STILL_UNDER_WAY =
  'Other AI work is under way that may use up what is left of the monthly AI budget. Please try again in a few minutes.'

/** Counts the call as under way, or returns null when it must wait. */
async function judge({ userId, model, tokens_in, tokens_out, isLetIn }: PlannedCall): Promise<UnderWay | null> {
  const dollars = await asSystem(async (tx) => {
    const cost = callCost(model, tokens_in, tokens_out, await findSetPrice(tx, model))
    if (isLetIn) return cost
    const { installation, person } = await findBudgets(tx, userId)
    if (installation === null && (person === null || userId === null)) return cost
    const spent = await sumMonth(tx, userId)
    const planned = sumUnderWay(userId)
    if (installation !== null) {
      if (spent.all >= installation) throw usedUp('The monthly AI budget of this installation')
      if (planned.all > 0 && spent.all + planned.all >= installation) return null
    }
    if (userId !== null && person !== null) {
      if (spent.own >= person) throw usedUp('Your monthly AI budget')
      if (planned.own > 0 && spent.own + planned.own >= person) return null
    }
    return cost
  })
  if (dollars === null) return null
  const begun = { userId, dollars, since: performance.now() }
  underWay.add(begun)
  return begun
}

function sumUnderWay(userId: string | null): { all: number; own: number } {
  const sum = { all: 0, own: 0 }
  for (const call of underWay) {
    if (performance.now() - call.since > LONGEST_CALL_MS) underWay.delete(call)
    else {
      sum.all += call.dollars
      if (call.userId === userId) sum.own += call.dollars
    }
  }
  return sum
}

function end(call: UnderWay): void {
  underWay.delete(call)
  oneEnds.resolve()
  oneEnds = Promise.withResolvers()
}

async function eitherOf(ended: Promise<void>, ms: number, signal?: AbortSignal): Promise<void> {
  const over = new AbortController()
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  await Promise.race([ended, setTimeout(ms, undefined, { signal: stop }).catch(() => undefined)])
  over.abort()
}

function usedUp(whose: string): AppError {
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const day = next.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return new AppError(
    'over_budget',
    `${whose} is used up. New AI work can start on ${day}, or when an administrator raises the budget.`,
  )
}
