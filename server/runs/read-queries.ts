import { and, count, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { alias } from 'drizzle-orm/pg-core'
import { promptVersions } from '#server/db/tables/prompts.ts'
import { runs } from '#server/db/tables/runs.ts'
import { mayIn } from '#server/members/index.ts'
import type { RunsQuery } from '#shared/contract/runs.ts'

const source = alias(runs, 'source')
const { output: _output, values: _values, alive_at: _alive, input_hash: _hash, ...own } = getTableColumns(runs)
const { input: _input, prompt_text: _prompt, model_settings: _settings, papers: papers_read, ...short } = own
const counts = {
  papers_read,
  /** The number of papers in the scope of an answer over a project; null for other runs. */
  papers_asked: sql<number | null>`(${runs.input} #>> '{options,papers}')::int`,
}
const listed = {
  ...short,
  ...counts,
  stored_from: sql<{ id: string; number: number } | null>`case when ${source.id} is not null
    then jsonb_build_object('id', ${source.id}, 'number', ${source.number}) end`,
}

/** A run (a recorded analysis or answer) as the query of the list of runs returns it. */
export type ListedRun = Awaited<ReturnType<typeof listRunRows>>['rows'][number]

/** Filters of the list of runs (recorded analyses or answers), with the page. `id`: only runs with these ids. */
export type RunFilters = RunsQuery & { id?: readonly string[] | undefined }

/**
 * Returns a page of the runs (recorded analyses or answers) of a project that the caller may read, newest first, and their
 * total number.
 */
export async function listRunRows(tx: Tx, projectId: string, { kind, person, id, page, limit }: RunFilters) {
  const chosen = and(
    eq(runs.project_id, projectId),
    kind ? eq(runs.kind, kind) : undefined,
    person ? eq(runs.created_by, person) : undefined,
    id ? inArray(runs.id, [...id]) : undefined,
  )
  const rows = await tx
    .select(listed)
    .from(runs)
    .leftJoin(source, eq(source.id, runs.source_id))
    .where(chosen)
    .orderBy(desc(runs.number))
    .limit(limit)
    .offset((page - 1) * limit)
  const [all] = await tx.select({ count: count() }).from(runs).where(chosen)
  return { rows, count: all!.count }
}

/**
 * Returns the ids of the users who started the runs (recorded analyses or answers) of a project. Ignores runs that the caller
 * may not read.
 */
export async function listStarters(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.selectDistinct({ id: runs.created_by }).from(runs).where(eq(runs.project_id, projectId))
  return rows.flatMap(({ id }) => id ?? [])
}

/** Returns a run (a recorded analysis or answer) that the caller may read, with its inputs and values, or undefined. */
export async function findRun(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      ...own,
      ...counts,
      stored_from: listed.stored_from,
      values: runs.values,
      prompt_name: promptVersions.name,
      prompt_version: promptVersions.version,
      may: mayIn(sql`${runs.project_id}`),
    })
    .from(runs)
    .leftJoin(source, eq(source.id, runs.source_id))
    .leftJoin(promptVersions, eq(promptVersions.id, runs.prompt_version_id))
    .where(eq(runs.id, id))
  return row
}
