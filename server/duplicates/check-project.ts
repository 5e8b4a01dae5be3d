import { setTimeout as pause } from 'node:timers/promises'
import { asSystem, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import {
  claimWaiting,
  listCandidates,
  listUnsettled,
  readCompared,
  removeDeleted,
  settle,
  storeKeys,
  type Waiting,
} from './check-queries.ts'
import { findKeys, findPairs } from './compare-pool.ts'
import { regrouped } from './group-pairs.ts'
import { groupsOf, lockPairs, pairsOfGroups, replacePairs, storeGroups, type SuspectedPair } from './pair-queries.ts'

/** Documents per part. The transactions of a part take some tens of milliseconds. */
const PART = 250
/** The pause before documents that another transaction has locked are compared again. */
const LOCKED_MS = 200

/**
 * Compares the waiting documents of a project in parts, until none is left or `signal` fires, and returns their number. A part
 * that a crash interrupts is repeated; a document that changes or is locked in between waits again. Several processes may run it
 * at the same time: each leaves out the documents that another one has claimed.
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

/** Compares documents and returns the number of those whose pairs are stored. */
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
  const hasChanged = await replacePairs(tx, projectId, ids, own)
  if (!hasChanged) return settled.size
  const groups = new Set([...before, ...(await groupsOf(tx, named))])
  const moved = regrouped(await pairsOfGroups(tx, projectId, [...groups]))
  if (moved.length > 0) await storeGroups(tx, moved)
  await publishDuplicates(tx, projectId)
  return settled.size
}

/** Removes the keys and pairs of deleted documents. */
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

/** Publishes a change of the suspected duplicates to the open pages of the project's members at commit. */
export const publishDuplicates = (tx: Tx, projectId: string, by?: string): Promise<void> =>
  publish(
    tx,
    { projectId },
    { event: 'project', data: { id: projectId, change: 'updated', part: 'duplicates', ...(by ? { by } : {}) } },
  )
