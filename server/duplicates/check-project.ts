import { asSystem, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import {
  claimWaiting,
  groupsOf,
  listCandidates,
  lockPairs,
  pairsOfGroups,
  readCompared,
  removeDeleted,
  replacePairs,
  settle,
  storeGroups,
  storeKeys,
  type SuspectedPair,
  type Waiting,
} from './check-queries.ts'
import { findKeys, findPairs } from './compare-pool.ts'
import { regrouped } from './group-pairs.ts'

/** Documents of a part: its transactions take some tens of milliseconds. */
const PART = 250

/**
 * Compares the waiting documents of a project in parts, until none is left or `signal` fires, and returns their number. A
 * part that a crash interrupts is repeated; a document that changes in between waits again. Several processes may run it
 * at the same time.
 */
export async function checkProject(
  projectId: string,
  signal: AbortSignal,
  onPart: (compared: number) => void = () => undefined,
): Promise<number> {
  for (let compared = 0; ;) {
    signal.throwIfAborted()
    const papers = await asSystem((tx) => claimWaiting(tx, projectId, PART))
    if (papers.length === 0) return compared
    await comparePart(projectId, papers)
    onPart((compared += papers.length))
  }
}

async function comparePart(projectId: string, papers: Waiting[]): Promise<void> {
  const changes = new Map(papers.map((paper) => [paper.id, paper.changes]))
  const keyed = await findKeys(projectId, papers)
  await asSystem((tx) =>
    storeKeys(
      tx,
      projectId,
      keyed.map((one) => ({ ...one, changes: changes.get(one.id)! })),
    ),
  )
  // In a new transaction, so that two processes see the keys of each other.
  const { candidates, compared } = await asSystem(async (tx) => {
    const candidates = await listCandidates(
      tx,
      papers.map(({ id }) => id),
    )
    const named = new Set(candidates.flatMap(({ one, other }) => [one, other]))
    return { candidates, compared: await readCompared(tx, projectId, [...named]) }
  })
  const pairs = await findPairs(projectId, compared, candidates)
  await asSystem((tx) => storePairs(tx, projectId, papers, pairs))
}

async function storePairs(tx: Tx, projectId: string, papers: Waiting[], pairs: SuspectedPair[]): Promise<void> {
  await lockPairs(tx, projectId)
  const settled = new Set(await settle(tx, papers))
  const own = pairs.filter(({ first, second }) => settled.has(first) || settled.has(second))
  const ids = [...settled]
  const named = [...new Set([...ids, ...own.flatMap(({ first, second }) => [first, second])])]
  const before = await groupsOf(tx, named)
  const hasChanged = await replacePairs(tx, projectId, ids, own)
  if (!hasChanged) return
  const groups = new Set([...before, ...(await groupsOf(tx, named))])
  const moved = regrouped(await pairsOfGroups(tx, projectId, [...groups]))
  if (moved.length > 0) await storeGroups(tx, moved)
  await publishDuplicates(tx, projectId)
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
