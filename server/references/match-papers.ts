import { asActor, type Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { findCandidates, lockAdditions } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Reference } from '#shared/contract/references.ts'
import { runOnReferences } from './reference-pool.ts'
import type { RecordChoices, SamePaper } from './tasks.ts'

/** Maximum number of attempts to decide, if other transactions change the papers of the project in the meantime. */
const ATTEMPTS = 5

/** The choices for records that are only compared with the papers of a project to find duplicates, and not stored. */
const MATCHED: RecordChoices = { joinDuplicates: true, keepCitationKeys: false, groupsAsTags: false, tags: [] }

/**
 * Thrown by the function `store` that is passed to `decideAndStore`: a paper was edited, moved or deleted after the transaction
 * began. The transaction is rolled back and the decision is made again.
 */
export class PapersChanged extends Error {}

interface Steps<Decision, Result> {
  /**
   * Makes the decision, outside of the transaction. `candidates` is the JSON of the papers of the project that could be the
   * same (`findCandidates`).
   */
  decide: (candidates: string) => Promise<Decision>
  /** Stores the decision. Throws PapersChanged to roll back and to decide again. */
  store: (tx: Tx, decision: Decision) => Promise<Result>
}

/**
 * Decides which papers are new in a project, and stores the decision. `decide` runs outside of a transaction and `store` in
 * one. If the papers of the project that could be the same have changed in the meantime, the decision is made again. `keys` is
 * the JSON of the comparison keys that `keysOf` returns, or null to compare no papers. Papers that the import `importId` has
 * created are not compared. Throws 'conflict' if the papers change during each of five attempts.
 */
export async function decideAndStore<Decision, Result>(
  actor: Actor,
  { projectId, importId, keys }: { projectId: string; importId?: string | undefined; keys: string | null },
  { decide, store }: Steps<Decision, Result>,
): Promise<Result> {
  const find = async (tx: Tx) => (keys === null ? '[]' : findCandidates(tx, { projectId, importId }, keys))
  let candidates = await asActor(actor, find, projectId)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const decision = await decide(candidates)
    const settled = await asActor(
      actor,
      async (tx) => {
        await lockAdditions(tx, projectId)
        const now = await find(tx)
        if (now !== candidates) return { isStored: false as const, candidates: now }
        return { isStored: true as const, result: await store(tx, decision) }
      },
      projectId,
    ).catch(async (error: unknown) => {
      if (!(error instanceof PapersChanged)) throw error
      return { isStored: false as const, candidates: await asActor(actor, find, projectId) }
    })
    if (settled.isStored) return settled.result
    candidates = settled.candidates
  }
  throw new AppError('conflict', 'The papers of this project change too often at the moment. Please try again.')
}

/**
 * Compares references with the papers of a project and with each other in a worker thread. Then calls `store` in a transaction.
 * `same` has one entry for each reference: the paper of the project or the earlier reference that is certainly the same, or
 * null for a new paper. No other call can add papers to the project until this transaction ends.
 */
export async function withSamePapers<Result>(
  actor: Actor,
  projectId: string,
  references: readonly Reference[],
  store: (tx: Tx, same: readonly SamePaper[]) => Promise<Result>,
): Promise<Result> {
  const person = { person: actor.userId }
  const { keys, records } = await runOnReferences(
    'plan',
    { records: references.map((reference) => ({ reference, raw: '' })), choices: MATCHED, before: 0 },
    person,
  )
  return decideAndStore(
    actor,
    { projectId, keys },
    { decide: (candidates) => runOnReferences('match', { records, candidates }, person), store },
  )
}
