import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { listTitles } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { authorize, listNames } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import {
  DIFFERENT_KINDS,
  hasOnlyOtherQuotes,
  MOST_EXPORTED_RUNS,
  RUN_PAPERS_SHOWN,
  type Run,
  type RunComparison,
  type RunDetails,
  type RunInput,
  type RunList,
  type RunPair,
} from '#shared/contract/runs.ts'
import { compareInTurn } from './compare-pool.ts'
import { whyMissing } from './why-missing.ts'
import { findRun, listRunRows, listStarters, type ListedRun, type RunFilters } from './read-queries.ts'

/** Returns a page of the runs (recorded analyses or answers) of a project, newest first, and the users who started its runs. */
export const listRuns = (actor: Actor, projectId: string, query: RunFilters): Promise<RunList> =>
  asActor(
    actor,
    async (tx) => {
      await checkProject(tx, projectId, 'read')
      const { rows, count } = await listRunRows(tx, projectId, query)
      const starters = await listStarters(tx, projectId)
      const names = await namesOf(tx, starters)
      const people = starters
        .map((id) => ({ id, name: names.get(id) ?? '' }))
        .toSorted((one, other) => one.name.localeCompare(other.name))
      return { data: rows.map((row) => present(row, names)), count, people }
    },
    projectId,
  )

/**
 * Returns the newest runs (recorded analyses or answers) of a project for an export, newest first, at most MOST_EXPORTED_RUNS.
 * Throws 'not_found' if the caller cannot read the project.
 */
export async function listAllRuns(
  actor: Actor,
  projectId: string,
  filters: Pick<RunFilters, 'kind' | 'person' | 'id'>,
): Promise<Run[]> {
  return (await listRuns(actor, projectId, { ...filters, page: 1, limit: MOST_EXPORTED_RUNS })).data
}

/** Returns a run (a recorded analysis or answer) with its inputs, the text of its prompt and its values. Throws 'not_found'. */
export const getRun = (actor: Actor, id: string): Promise<RunDetails> => asActor(actor, (tx) => runOrThrow(tx, id))

/**
 * Compares two runs (recorded analyses or answers) of the same project and the same kind. Throws 'not_found', or 'refused' if
 * the kinds differ.
 */
export async function compareRuns(actor: Actor, pair: RunPair): Promise<RunComparison> {
  const { one, other, only_in } = await asActor(actor, async (tx) => {
    const [one, other] = [await runOrThrow(tx, pair.one), await runOrThrow(tx, pair.other)]
    return {
      one,
      other,
      only_in: { one: await papersOnlyIn(tx, one, other), other: await papersOnlyIn(tx, other, one) },
    }
  })
  if (one.kind !== other.kind || one.project_id !== other.project_id) throw new AppError('refused', DIFFERENT_KINDS)
  const prompts = { one: one.prompt_text, other: other.prompt_text }
  const compared = await compareInTurn({ one: one.values, other: other.values, prompts }, actor.userId)
  const countOf = (...states: string[]) => compared.rows.filter(({ state }) => states.includes(state)).length
  return {
    one: withoutValues(one),
    other: withoutValues(other),
    differing: differingInputs(one, other),
    only_in,
    ...compared,
    rows: compared.rows.map((row) => ({
      ...row,
      why_missing: whyMissing(row, { one: one.input, other: other.input }),
    })),
    counts: {
      changed: countOf('changed'),
      only_one: countOf('only one', 'only other'),
      equal: countOf('equal'),
      other_quotes: compared.rows.filter(hasOnlyOtherQuotes).length,
    },
  }
}

/**
 * Matches the key of a value in answers of earlier versions of Lectern, in which each sentence had its own key. A comparison
 * pairs values with equal keys.
 */
const NUMBERED_KEY = /^(sentence|nearest) \d+$/

async function runOrThrow(tx: Tx, id: string): Promise<RunDetails> {
  const row = authorize(await findRun(tx, id), 'read', 'Run')
  const { input, values, prompt_name, prompt_version, may: _may, ...rest } = row
  const names = await namesOf(tx, row.created_by === null ? [] : [row.created_by])
  return {
    ...present(rest, names),
    model_settings: row.model_settings,
    prompt_version_id: row.prompt_version_id,
    prompt: prompt_name === null || prompt_version === null ? null : { name: prompt_name, version: prompt_version },
    prompt_text: row.prompt_text,
    prompt_text_hash: row.prompt_text_hash,
    code_version: row.code_version,
    input,
    read_papers: await withTitles(tx, input.documents),
    values: (values ?? []).map((value) => ({ ...value, key: value.key.replace(NUMBERED_KEY, '$1') })),
  }
}

/** Returns the first RUN_PAPERS_SHOWN papers with their titles; null for a paper that the caller does not read now. */
async function withTitles(tx: Tx, documents: RunInput['documents']): Promise<RunDetails['read_papers']> {
  const shown = documents.slice(0, RUN_PAPERS_SHOWN)
  const titles = await listTitles(
    tx,
    shown.map(({ id }) => id),
  )
  return shown.map((document) => {
    const names = titles.get(document.id)
    return { ...document, title: names ? documentTitle(names) : null }
  })
}

/** Returns the papers that the first run (a recorded analysis or answer) read and the second did not. */
function papersOnlyIn(tx: Tx, { input }: RunDetails, other: RunDetails): Promise<RunDetails['read_papers']> {
  const known = new Set(other.input.documents.map(({ id }) => id))
  return withTitles(
    tx,
    input.documents.filter(({ id }) => !known.has(id)),
  )
}

const namesOf = async (tx: Tx, ids: readonly string[]) =>
  ids.length > 0 ? withOwnerRole(tx, () => listNames(tx, ids)) : new Map<string, string>()

function present(row: Omit<ListedRun, 'key_id'>, names: ReadonlyMap<string, string>): Run {
  const { id, number, project_id, via, key_name, kind, title, model, status, error, started_at, ended_at } = row
  const { tokens_in, tokens_out, cost_usd, cached, stored_from, is_private } = row
  return {
    id,
    number,
    project_id,
    created_by: row.created_by === null ? null : { id: row.created_by, name: names.get(row.created_by) ?? '' },
    via,
    key_name,
    kind,
    title,
    is_private,
    model,
    status,
    error,
    started_at,
    ended_at,
    papers: row.papers_asked ?? row.papers_read ?? 0,
    papers_read: row.papers_read ?? 0,
    tokens_in,
    tokens_out,
    cost_usd,
    cached,
    stored_from,
  }
}

const withoutValues = ({ values: _values, input, ...rest }: RunDetails): RunComparison['one'] => ({
  ...rest,
  options: input.options,
})

function differingInputs(one: RunDetails, other: RunDetails): RunComparison['differing'] {
  const isSame = (first: unknown, second: unknown) => JSON.stringify(first) === JSON.stringify(second)
  const differs = (option: string) => !isSame(one.input.options[option], other.input.options[option])
  const versions = new Map(other.input.documents.map((document) => [document.id, document.text_version]))
  const common = one.input.documents.filter(({ id }) => versions.has(id))
  const hasSamePapers = [one, other].every(({ papers_read }) => papers_read === common.length)
  const differing: Record<RunComparison['differing'][number], boolean> = {
    model: one.model !== other.model,
    model_settings: !isSame(one.model_settings, other.model_settings),
    prompt: one.prompt_text !== other.prompt_text,
    papers: !hasSamePapers || one.papers !== other.papers,
    texts: common.some(({ id, text_version }) => versions.get(id) !== text_version),
    question: one.input.question !== other.input.question,
    scope: differs('scope'),
    retracted: differs('leave_out_retracted'),
    turns: differs('turns'),
    code_version: one.code_version !== other.code_version,
  }
  return (Object.keys(differing) as (keyof typeof differing)[]).filter((name) => differing[name])
}
