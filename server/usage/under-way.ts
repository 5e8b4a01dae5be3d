import { setTimeout } from 'node:timers/promises'
import { callCost, type PlannedCall } from '#server/ai/index.ts'
import { asSystem, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { findBudgets, sumMonth } from './budget-queries.ts'
import { findSetPrice } from './price-queries.ts'
import { findProjectBudgets, findProjectOf, sumProjectMonth } from './project-budget-queries.ts'

/** How long a call waits for other calls whose cost may exceed the budget. */
const WAIT_MS = 120_000
/**
 * A call that started longer ago than this is not counted as under way any more, because its end was missed. No call takes this
 * long.
 */
const LONGEST_CALL_MS = 30 * 60_000

interface UnderWay {
  userId: string | null
  projectId: string | null
  dollars: number
  since: number
}

/**
 * The calls of this process that have not ended, so that their cost is not in the database yet. Other servers on the same
 * database count only their own calls.
 */
const underWay = new Set<UnderWay>()
let oneEnds = Promise.withResolvers<void>()
/** The last budget check. Checks run one after the other, so that each check counts the calls that were admitted before it. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Admits a call that costs money. Returns a function that must be called when the call has ended. Throws 'over_budget' if a
 * budget of this month is used up. If other calls that have not ended may use up the rest of a budget, waits until one of them
 * has ended and its cost is known; throws 'over_budget' after two minutes.
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

/**
 * A budget that applies to a call, with its cost in this month (`spent`). `counts` returns whether the budget includes another
 * call.
 */
interface Limit {
  dollars: number
  spent: number
  whose: string
  raisedBy: string
  counts: (call: UnderWay) => boolean
}

/**
 * Checks a call against the budgets. Adds it to `underWay` if it may start, returns null if it must wait, and throws
 * 'over_budget' if a budget is used up.
 */
async function judge(call: PlannedCall): Promise<UnderWay | null> {
  const { userId, model, tokens_in, tokens_out, isLetIn } = call
  const begun = await asSystem(async (tx) => {
    const dollars = callCost(model, tokens_in, tokens_out, await findSetPrice(tx, model))
    const projectId = (call.documentId === null ? null : await findProjectOf(tx, call.documentId)) ?? call.projectId
    const planned = { userId, projectId, dollars, since: performance.now() }
    if (isLetIn) return planned
    for (const limit of [...(await findLimits(tx, userId)), ...(await findProjectLimits(tx, userId, projectId))]) {
      if (limit.spent >= limit.dollars) throw usedUp(limit)
      const open = sumUnderWay(limit.counts)
      if (open > 0 && limit.spent + open >= limit.dollars) return null
    }
    return planned
  })
  if (begun) underWay.add(begun)
  return begun
}

const ADMIN = 'an administrator'
const OWNER = 'an owner of the project'

/** Returns the budgets that admins set and that apply to a call of this user. */
async function findLimits(tx: Tx, userId: string | null): Promise<Limit[]> {
  const { installation, person } = await findBudgets(tx, userId)
  if (installation === null && (person === null || userId === null)) return []
  const { all, own } = await sumMonth(tx, userId)
  const whose = 'The monthly AI budget of this installation'
  return [
    ...(installation === null
      ? []
      : [{ dollars: installation, spent: all, whose, raisedBy: ADMIN, counts: () => true }]),
    ...(person === null || userId === null
      ? []
      : [{ dollars: person, spent: own, whose: 'Your monthly AI budget', raisedBy: ADMIN, counts: isOf(userId) }]),
  ]
}

/** Returns the budgets that owners of a project set and that apply to a call of this user in the project. */
async function findProjectLimits(tx: Tx, userId: string | null, projectId: string | null): Promise<Limit[]> {
  if (projectId === null || userId === null) return []
  const { project, member } = await findProjectBudgets(tx, projectId, userId)
  if (project === null && member === null) return []
  const { all, own } = await sumProjectMonth(tx, projectId, userId)
  const isIn = (call: UnderWay) => call.projectId === projectId
  const isOwn = (call: UnderWay) => isIn(call) && call.userId === userId
  const whose = 'The monthly AI budget of this project'
  return [
    ...(project === null ? [] : [{ dollars: project, spent: all, whose, raisedBy: OWNER, counts: isIn }]),
    ...(member === null
      ? []
      : [
          {
            dollars: member,
            spent: own,
            whose: 'Your monthly AI budget in this project',
            raisedBy: OWNER,
            counts: isOwn,
          },
        ]),
  ]
}

const isOf = (userId: string) => (call: UnderWay) => call.userId === userId

function sumUnderWay(counts: (call: UnderWay) => boolean): number {
  let sum = 0
  for (const call of underWay)
    if (performance.now() - call.since > LONGEST_CALL_MS) underWay.delete(call)
    else if (counts(call)) sum += call.dollars
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

function usedUp({ whose, raisedBy }: Limit): AppError {
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const day = next.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return new AppError(
    'over_budget',
    `${whose} is used up. New AI work can start on ${day}, or when ${raisedBy} raises the budget.`,
  )
}
