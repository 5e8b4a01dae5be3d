import type { Actor } from '#server/db/actor.ts'
import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { AppError } from '#server/lib/errors.ts'
import { checkProject } from '#server/projects/index.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import type { RunKind, RunValue, RunVia } from '#shared/contract/runs.ts'
import { storable } from '#shared/text/storable-text.ts'
import { CODE_VERSION, hashRequest, hashText, type RunRequest } from './hash-input.ts'
import { findStoredRun, type StoredOutput } from './queries.ts'
import { noteEnd, noteStart } from './watch-runs.ts'
import { endRunRow, findKeyName, insertRun, updatePrivacy } from './write-queries.ts'

/** The right in the project that a user needs to start a run (a recorded analysis or answer) of each kind. */
const RIGHT: Record<RunKind, ProjectRight> = { analysis: 'edit', library_answer: 'ask' }

const LONGEST_TITLE = 500

/**
 * How a run (a recorded analysis or answer) was started: from the web app, by an assistant over MCP, or by a call of the API
 * with a key.
 */
export interface RunOrigin {
  via: RunVia
  key_id: string | null
}

/**
 * Returns the origin of a run (a recorded analysis or answer) that the caller starts. For a caller with an API key, it is `via`
 * (the interface that received the request) and the id of the key; for a caller without a key, the web app.
 */
export const originOf = ({ key }: Actor, via: RunVia = 'api'): RunOrigin =>
  key ? { via, key_id: key.id } : { via: 'web', key_id: null }

/** The result of a run (a recorded analysis or answer): completed, stopped by the user, or failed. */
export type RunOutcome =
  | ({
      status: 'completed'
      /**
       * The output to store, which contains everything that a later run (a recorded analysis or answer) with the same input
       * needs.
       */
      output: unknown
      values: readonly RunValue[]
    } & RunCosts)
  /** A run (a recorded analysis or answer) that used the stored output of another run and called no model. */
  | { status: 'completed'; stored: Pick<StoredOutput, 'run_id'> }
  | ({ status: 'stopped'; output?: unknown; values?: readonly RunValue[] } & RunCosts)
  | ({ status: 'failed'; error: string; values?: readonly RunValue[] } & RunCosts)

/**
 * The tokens and the cost of the model calls of a run (a recorded analysis or answer), as `sumCalls` (server/ai) returns them.
 */
interface RunCosts {
  tokens_in: number
  tokens_out: number
  cost_usd: number
}

/**
 * Returns the output of the newest completed run (a recorded analysis or answer) of the project with the same request and code
 * version, among the runs that the caller may read. Null if there is none.
 */
export const findStoredOutput = (actor: Actor, request: RunRequest): Promise<StoredOutput | null> =>
  asActor(actor, (tx) => findStoredRun(tx, request.projectId, hashRequest(request)))

/**
 * Stores the start of a run (a recorded analysis or answer). Throws 'not_found' or 'role' if the caller may not start runs of
 * this kind in the project. The functions of `within` run in the same transaction: `isHidden` returns whether to hide the run
 * from other members, and `store` gets the run's id. After each start, `finishRun` or `endRun` must be called, also after an
 * error.
 */
export async function startRun(
  actor: Actor,
  request: RunRequest,
  about: {
    title: string
    prompt_version_id?: string | null
    origin?: RunOrigin
    within?: { isHidden: (tx: Tx) => Promise<boolean>; store?: (tx: Tx, id: string) => Promise<void> }
  },
): Promise<{ id: string; number: number }> {
  const { projectId: project_id, kind, model, model_settings, prompt_text, input } = request
  const { via, key_id } = about.origin ?? originOf(actor)
  const run = await asActor(actor, async (tx) => {
    await checkProject(tx, project_id, RIGHT[kind])
    const isHidden = (await about.within?.isHidden(tx)) ?? false
    const inserted = await withOwnerRole(tx, async () =>
      insertRun(tx, {
        project_id,
        created_by: actor.userId,
        via,
        key_id,
        key_name: key_id === null ? null : await findKeyName(tx, actor.userId, key_id),
        kind,
        title: storable(about.title).slice(0, LONGEST_TITLE),
        is_private: isHidden,
        model,
        model_settings: storable(model_settings),
        prompt_version_id: about.prompt_version_id ?? null,
        prompt_text: storable(prompt_text),
        prompt_text_hash: hashText(prompt_text),
        code_version: CODE_VERSION,
        input: storable(input),
        input_hash: hashRequest(request),
      }),
    )
    await about.within?.store?.(tx, inserted.id)
    return inserted
  })
  noteStart(run.id)
  return run
}

/**
 * Stores the outcome of a run (a recorded analysis or answer) in a separate transaction. Does nothing if the run has already
 * ended.
 */
export async function finishRun(id: string, outcome: RunOutcome): Promise<void> {
  try {
    await asSystem((tx) => endRunRow(tx, id, columnsOf(outcome)))
  } finally {
    // After an error, the check of silent runs fails the run.
    noteEnd(id)
  }
}

/**
 * Stores the outcome of a run (a recorded analysis or answer) in the transaction that stores its values. Throws 'conflict' if
 * the run has already ended, for example because another server assumed that this server had stopped.
 */
export async function endRun(tx: Tx, id: string, outcome: RunOutcome): Promise<void> {
  const isStored = await withOwnerRole(tx, () => endRunRow(tx, id, columnsOf(outcome)))
  if (!isStored) throw new AppError('conflict', 'The run has ended already. Please start it again.')
  noteEnd(id)
}

/**
 * Hides runs (recorded analyses or answers) from the other members of the project, or shows them again if `isPrivate` is false.
 * Of the runs with the given ids, changes only those that the user `userId` started.
 */
export const changePrivacy = (tx: Tx, userId: string, ids: readonly string[], isPrivate: boolean): Promise<void> =>
  ids.length === 0 ? Promise.resolve() : withOwnerRole(tx, () => updatePrivacy(tx, userId, ids, isPrivate))

function columnsOf(outcome: RunOutcome): Parameters<typeof endRunRow>[2] {
  if ('stored' in outcome) return { status: 'completed', cached: true, source_id: outcome.stored.run_id }
  const { status, tokens_in, tokens_out, cost_usd } = outcome
  const columns = { status, tokens_in, tokens_out, cost_usd, values: storable([...(outcome.values ?? [])]) }
  if (outcome.status === 'failed') return { ...columns, error: storable(outcome.error) }
  return { ...columns, output: storable(outcome.output ?? null) }
}
