import { and, asc, count, eq, inArray, isNotNull, max, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { duplicateAnswers, duplicateChecks, duplicatePairs } from '#server/db/tables/duplicates.ts'
import { importRecords, imports } from '#server/db/tables/imports.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { storedColumns } from '#server/documents/index.ts'
import { type DuplicatesQuery, GROUP_PAPERS_MAX, type Resemblance } from '#shared/contract/duplicates.ts'
import type { ImportKind } from '#shared/contract/imports.ts'

/** Locks the start of searches for duplicates in a project until the transaction ends, so that only one search starts. */
export async function lockSearch(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`look for duplicates ${projectId}`}, 0))`)
}

/** Returns the queued or running search for duplicates of a project, or undefined. */
export async function findActiveSearch(tx: Tx, projectId: string) {
  const [row] = await tx
    .select()
    .from(jobs)
    .where(
      and(eq(jobs.kind, 'duplicates'), eq(jobs.project_id, projectId), sql`${jobs.status} in ('queued', 'running')`),
    )
    .limit(1)
  return row
}

/**
 * Returns how many documents of a project have been compared with the others to find duplicates (`count`), and when this last
 * happened (`at`, an ISO time). Returns null if no document has been compared. Must run as the database role that owns the
 * tables.
 */
export async function findLastComparison(tx: Tx, projectId: string): Promise<{ count: number; at: string } | null> {
  const [row] = await tx
    .select({ count: count(), at: max(duplicateChecks.compared_at) })
    .from(duplicateChecks)
    .where(and(eq(duplicateChecks.project_id, projectId), isNotNull(duplicateChecks.compared_at)))
  return row?.at ? { count: row.count, at: row.at } : null
}

interface GroupRow extends Record<string, unknown> {
  id: string
  because: Resemblance
  is_later: boolean
  /** The ids of the papers in the group, oldest first, at most GROUP_PAPERS_MAX. */
  ids: string[]
  paper_count: number
  total: number
}

/**
 * Returns a page of the groups of suspected duplicates. A group consists of pairs of existing documents that no member marked
 * as not duplicates. The most similar groups come first, and postponed groups (answer 'later') last. Row-level security hides
 * the pairs of other projects and deleted documents. `count` is the number of all groups, also for a page after the last one.
 */
export async function listGroupRows(
  tx: Tx,
  { project_id, page, limit }: DuplicatesQuery,
): Promise<{ rows: GroupRow[]; count: number }> {
  const { rows } = await tx.execute<GroupRow | { id: null; total: number }>(sql`
    with shown as (
      select p.*, a.created_at as first_at, b.created_at as second_at,
          case when l.answer = 'later' then l.answered_at end as later_at,
          case p.likeness when 'certain' then 2 else 1 end + p.title_likeness + cardinality(p.equal) / 100.0 as rank
        from ${duplicatePairs} p
        join ${documents} a on a.id = p.first_id and a.project_id = p.project_id
        join ${documents} b on b.id = p.second_id and b.project_id = p.project_id
        left join ${duplicateAnswers} l on l.first_id = p.first_id and l.second_id = p.second_id
        where p.project_id = ${project_id} and l.answer is distinct from 'refused'
    ), listed as (
      select group_id, max(later_at) as later_at, max(rank) as rank from shown group by group_id
    ), page as (
      select * from listed order by later_at nulls first, rank desc, group_id
        limit ${limit} offset ${(page - 1) * limit}
    )
    select g.group_id as id, t.total, g.later_at is not null as is_later, best.because, ids.paper_count,
        ids.ids[1:${GROUP_PAPERS_MAX}] as ids
      from (select count(*)::int as total from listed) t
      left join page g on true
      left join lateral (
        select jsonb_build_object('likeness', s.likeness, 'title_likeness', s.title_likeness, 'title_begins', s.title_begins,
            'equal', to_jsonb(s.equal), 'years_apart', s.years_apart) as because
          from shown s where s.group_id = g.group_id order by s.rank desc, s.first_id, s.second_id limit 1) best on true
      left join lateral (
        select array_agg(id order by at, id) as ids, count(*)::int as paper_count from (
          select s.first_id as id, s.first_at as at from shown s where s.group_id = g.group_id
          union select s.second_id, s.second_at from shown s where s.group_id = g.group_id) papers) ids on true
      order by g.later_at nulls first, g.rank desc, g.group_id`)
  // An empty page is one row without a group, which has the count.
  return { rows: rows.filter((row) => row.id !== null), count: rows[0]!.total }
}

const source = sql<{ kind: ImportKind; source_name: string | null } | null>`(
  select jsonb_build_object('kind', i.kind, 'source_name', i.source_name)
    from ${importRecords} r join ${imports} i on i.id = r.import_id
    where r.document_id = ${documents}.id order by i.created_at, i.id limit 1)`

/**
 * Returns documents, each with the kind and the source name of the earliest import that contains it (`source`); null if it was
 * not imported.
 */
export const listPapers = (tx: Tx, ids: readonly string[]) =>
  tx
    .select({ ...storedColumns, source })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
    .orderBy(asc(documents.id))

interface Pair {
  first: string
  second: string
}
const firsts = (pairs: readonly Pair[]) => sql`${sql.param(pairs.map(({ first }) => first))}::uuid[]`
const seconds = (pairs: readonly Pair[]) => sql`${sql.param(pairs.map(({ second }) => second))}::uuid[]`

/**
 * Stores the answer of a member about pairs: 'refused' (the two papers are not duplicates) or 'later' (the pair is shown after
 * the others). 'later' does not replace 'refused'. Returns the number of stored answers.
 */
export async function storeAnswers(
  tx: Tx,
  { projectId, userId, answer }: { projectId: string; userId: string; answer: 'refused' | 'later' },
  pairs: readonly Pair[],
): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    insert into duplicate_answers as a (project_id, first_id, second_id, answer, answered_by)
      select ${projectId}::uuid, first_id, second_id, ${answer}, ${userId}
        from unnest(${firsts(pairs)}, ${seconds(pairs)}) as n (first_id, second_id) order by 2, 3
      on conflict (first_id, second_id) do update
        set answer = excluded.answer, answered_by = excluded.answered_by, answered_at = now()
        where a.answer <> 'refused'`)
  return rowCount ?? 0
}

/** Deletes the answer 'refused' (not duplicates) of pairs, and returns the number of deleted answers. */
export async function deleteRefusals(tx: Tx, pairs: readonly Pair[]): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from duplicate_answers where answer = 'refused' and (first_id, second_id) in (
      select * from unnest(${firsts(pairs)}, ${seconds(pairs)}))`)
  return rowCount ?? 0
}
