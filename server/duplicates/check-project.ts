import { setTimeout as pause } from 'node:timers/promises'
import { asSystem, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import {
  claimWaiting,
  listCandidates,
  listUnsettled,
  readCompared,
  removeDeleted,
  requestOthers,
  settle,
  storeKeys,
  type Waiting,
} from './check-queries.ts'
import { findKeys, findPairs } from './compare-pool.ts'
import { regrouped } from './group-pairs.ts'
import { groupsOf, lockPairs, pairsOfGroups, replacePairs, storeGroups, type SuspectedPair } from './pair-queries.ts'

/**
 * Number of documents that are compared with their candidates in one step. The transactions for one step take some tens of
 * milliseconds.
 */
const PART = 250
/** Delay in ms before the next attempt to compare documents that another transaction has locked. */
const LOCKED_MS = 200

/**
 * Compares the documents of a project that wait for a comparison, in parts, until none is left or `signal` is aborted. Returns
 * the number of compared documents. A part that a crash interrupts is repeated; a document that changes or is locked meanwhile
 * waits for another comparison. Several processes may run this function at the same time, because each skips documents that
 * another process has claimed.
 */
export async function checkProject(
  projectId: string,
  signal: AbortSignal,
  onPart: (compared: number) => void = () => undefined,
): Promise<number> {
  let claimed = new Map<string, Waiting>()
  for (let compared = 0; ;) {
    signal.throwIfAborted()
    const papers = await asSystem((tx) => claimWaiting(tx, projectId, PART, [...claimed.keys()]))
    if (papers.length === 0 && claimed.size === 0) return compared
    const settled = papers.length > 0 ? await comparePart(projectId, papers) : 0
    for (const paper of papers) claimed.set(paper.id, paper)
    const unsettled = await asSystem((tx) => listUnsettled(tx, projectId, [...claimed.values()]))
    claimed = new Map(unsettled.map((id) => [id, claimed.get(id)!]))
    if (settled > 0) onPart((compared += settled))
    else await pause(LOCKED_MS, undefined, { signal })
  }
}

/**
 * Compares documents with their candidates (documents with a common comparison key) and stores the pairs that are suspected
 * duplicates. Returns the number of documents whose comparison was recorded.
 */
async function comparePart(projectId: string, papers: Waiting[]): Promise<number> {
  const changes = new Map(papers.map((paper) => [paper.id, paper.changes]))
  const keyed = await findKeys(projectId, papers)
  const stored = await asSystem((tx) =>
    storeKeys(
      tx,
      projectId,
      keyed.map((one) => ({ ...one, changes: changes.get(one.id)! })),
    ),
  )
  if (stored.size === 0) return 0
  // In a new transaction, so that two processes see the keys of each other.
  const { candidates, compared } = await asSystem(async (tx) => {
    const candidates = await listCandidates(tx, [...stored])
    const named = new Set(candidates.flatMap(({ one, other }) => [one, other]))
    return { candidates, compared: await readCompared(tx, projectId, [...named]) }
  })
  const pairs = await findPairs(projectId, compared, candidates)
  const withKeys = papers.filter(({ id }) => stored.has(id))
  return asSystem((tx) => storePairs(tx, projectId, withKeys, pairs))
}

async function storePairs(tx: Tx, projectId: string, papers: Waiting[], pairs: SuspectedPair[]): Promise<number> {
  await lockPairs(tx, projectId)
  const settled = new Set(await settle(tx, papers))
  const own = pairs.filter(({ first, second }) => settled.has(first) || settled.has(second))
  const ids = [...settled]
  const named = [...new Set([...ids, ...own.flatMap(({ first, second }) => [first, second])])]
  const before = await groupsOf(tx, named)
  await requestOthers(tx, ids, projectId)
  const hasChanged = await replacePairs(tx, projectId, ids, own)
  // Also without a changed pair: the pairs of a deleted document are already gone, and its group may split.
  const groups = new Set([...before, ...(await groupsOf(tx, named))])
  const moved = regrouped(await pairsOfGroups(tx, projectId, [...groups]))
  if (moved.length > 0) await storeGroups(tx, moved)
  if (hasChanged || moved.length > 0) await publishDuplicates(tx, projectId)
  return settled.size
}

/** Removes the comparison keys and the pairs of deleted documents. */
export async function removeChecksOfDeleted(signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const count = await asSystem(async (tx) => {
      const { count, projects } = await removeDeleted(tx, PART)
      for (const projectId of projects) await publishDuplicates(tx, projectId)
      return count
    })
    if (count < PART) return
  }
}

/**
 * Publishes at commit that the suspected duplicates of a project changed, to the open pages of its members. `by` is the user
 * who changed them.
 */
export const publishDuplicates = (tx: Tx, projectId: string, by?: string): Promise<void> =>
  publish(
    tx,
    { projectId },
    { event: 'project', data: { id: projectId, change: 'updated', part: 'duplicates', ...(by ? { by } : {}) } },
  )
