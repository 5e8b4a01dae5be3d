import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import type { StoredComparison } from '#server/db/stored-duplicates.ts'
import type { Reference } from '#shared/contract/references.ts'

/**
 * Queries that find documents to compare with the other documents of their project (for suspected duplicates), and record which
 * documents were compared. They run as the system, because a comparison belongs to no user.
 */

/**
 * A document that waits to be compared with the other documents of its project. `changes` is its change counter when it was
 * read.
 */
export interface Waiting {
  id: string
  changes: number
  reference: Reference
}

/** Two documents of one project with a common comparison key. Only such documents are compared with each other. */
export interface Candidates {
  one: string
  other: string
}

/**
 * How long claimed documents are reserved for the process that compares them. After this time, another process may claim them.
 */
const CLAIM = sql.raw(`interval '2 minutes'`)
/**
 * Maximum number of documents with the same comparison key. A key that more documents have ('A systematic review of') is
 * ignored, because it identifies none of them.
 */
const COMMON_KEY = 100

/** Returns ids as an SQL array. */
export const uuids = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`
const free = sql`is_waiting and (claimed_at is null or claimed_at < now() - ${CLAIM})`

/**
 * Returns the projects with documents that wait for a comparison; `id` is null for deleted documents. `is_busy` is true while
 * an import or a search for duplicates of the project is queued or running. A Zotero import that has stored its papers and is
 * only reading PDFs does not count, because that can take hours.
 */
export async function listWaitingProjects(tx: Tx): Promise<{ id: string | null; is_busy: boolean }[]> {
  const { rows } = await tx.execute<{ id: string | null; is_busy: boolean }>(sql`
    select project_id as id, exists (select from ${jobs} j where j.project_id = w.project_id
        and j.kind in ('import', 'duplicates', 'zotero') and j.status in ('queued', 'running')
        and coalesce(j.state ->> 'reads_files', '') <> 'true') as is_busy
      from (select distinct project_id from duplicate_checks where ${free}) w`)
  return rows
}

/** Returns the number of documents of a project that wait for a comparison. */
export async function countWaiting(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(
    sql`select count(*)::int as n from duplicate_checks where project_id = ${projectId} and is_waiting`,
  )
  return rows[0]!.n
}

/**
 * Returns the ids of the claimed documents (reserved for comparison by this process) that still wait for a comparison in the
 * project and have not changed since then.
 */
export async function listUnsettled(
  tx: Tx,
  projectId: string,
  claimed: readonly Pick<Waiting, 'id' | 'changes'>[],
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select c.document_id as id from duplicate_checks c
      join unnest(${uuids(claimed.map(({ id }) => id))}, ${sql.param(claimed.map(({ changes }) => changes))}::int[])
        as n (id, changes) on c.document_id = n.id and c.changes = n.changes
      where c.project_id = ${projectId} and c.is_waiting`)
  return rows.map(({ id }) => id)
}

/** Marks all documents of a project, so that they are compared with each other again to find duplicates. */
export async function requestAll(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`
    update duplicate_checks set is_waiting = true, changes = changes + 1, claimed_at = null where project_id = ${projectId}`)
}

/**
 * Claims up to `limit` waiting documents of a project, which reserves them for this process for two minutes, and returns them.
 * Also claims the documents in `own` again: documents that the caller claimed earlier and that still wait. Skips documents that
 * another transaction has locked.
 */
export async function claimWaiting(
  tx: Tx,
  projectId: string,
  limit: number,
  own: readonly string[],
): Promise<Waiting[]> {
  const { rows } = await tx.execute<Record<'id', string> & { changes: number; reference: Reference }>(sql`
    with claimed as (
      update duplicate_checks set claimed_at = now() where document_id in (
        select document_id from duplicate_checks
        where project_id = ${projectId} and (${free} or is_waiting and document_id = any(${uuids(own)}))
        order by document_id limit ${limit} for update skip locked)
      returning document_id, changes)
    select d.id, c.changes, compared_fields(d.reference) as reference
      from claimed c join documents d on d.id = c.document_id`)
  return rows
}

/**
 * Marks the other documents in the pairs of documents that left a project as waiting for a comparison, because their groups may
 * split. `projectId` is the new project of the documents, or null if they were deleted. Skips documents that another
 * transaction has locked.
 */
export async function requestOthers(tx: Tx, left: readonly string[], projectId: string | null): Promise<void> {
  await tx.execute(sql`
    update duplicate_checks set is_waiting = true, changes = changes + 1, claimed_at = null where document_id in (
      select document_id from duplicate_checks where project_id is not null
        and project_id is distinct from ${projectId}::uuid and document_id in (
          select unnest(array[first_id, second_id]) from duplicate_pairs
            where first_id = any(${uuids(left)}) or second_id = any(${uuids(left)}))
      for update skip locked)`)
}

/**
 * Removes the checks (the stored states of comparisons) of up to `limit` deleted documents, with their comparison keys and
 * pairs. Marks the other documents of these pairs as waiting for a comparison. Returns the number of removed checks and the
 * projects whose pairs changed.
 */
export async function removeDeleted(tx: Tx, limit: number): Promise<{ count: number; projects: string[] }> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select document_id as id from duplicate_checks where project_id is null and is_waiting
    order by document_id limit ${limit} for update skip locked`)
  const ids = rows.map(({ id }) => id)
  const deleted = uuids(ids)
  const { rows: projects } = await tx.execute<{ id: string }>(sql`
    select distinct project_id as id from duplicate_pairs where first_id = any(${deleted}) or second_id = any(${deleted})`)
  await requestOthers(tx, ids, null)
  await tx.execute(sql`delete from duplicate_checks where document_id = any(${deleted})`)
  return { count: rows.length, projects: projects.map(({ id }) => id) }
}

/**
 * The values of a document that a comparison uses, and its comparison keys. Two documents are compared if they have a key in
 * common.
 */
export interface Keyed {
  id: string
  compared: StoredComparison
  keys: string[]
}

/**
 * Stores the values and keys of documents that have not changed since they were read (their change counter is equal). Returns
 * the ids of these documents. Skips documents that another transaction has locked.
 */
export async function storeKeys(
  tx: Tx,
  projectId: string,
  keyed: readonly (Keyed & { changes: number })[],
): Promise<Set<string>> {
  const ids = uuids(keyed.map(({ id }) => id))
  const { rows } = await tx.execute<{ id: string }>(sql`
    update duplicate_checks c set compared = n.compared
      from unnest(${ids}, ${sql.param(keyed.map(({ changes }) => changes))}::int[],
        ${sql.param(keyed.map(({ compared }) => JSON.stringify(compared)))}::jsonb[]) as n (id, changes, compared)
      where c.document_id = n.id and c.changes = n.changes and c.document_id = any(array(
        select document_id from duplicate_checks where document_id = any(${ids}) order by document_id for update skip locked))
      returning c.document_id as id`)
  const stored = new Set(rows.map(({ id }) => id))
  const all = keyed.filter(({ id }) => stored.has(id)).flatMap(({ id, keys }) => keys.map((key) => [id, key] as const))
  await tx.execute(sql`delete from duplicate_keys where document_id = any(${uuids([...stored])})`)
  await tx.execute(sql`
    insert into duplicate_keys (key, document_id)
      select distinct hashtextextended(${`${projectId} `} || k, 0), id
      from unnest(${uuids(all.map(([id]) => id))}, ${sql.param(all.map(([, key]) => key))}::text[]) as n (id, k)
      on conflict do nothing`)
  return stored
}

/**
 * Returns the pairs of documents to compare: each of `ids` with each document that has a comparison key in common with it. A
 * comparison key is a hash of the project id and a value of the document, such as its DOI. Ignores keys that more than 100
 * documents have, and pairs that a member has marked as not duplicates.
 */
export async function listCandidates(tx: Tx, ids: readonly string[]): Promise<Candidates[]> {
  const { rows } = await tx.execute<Record<'one' | 'other', string>>(sql`
    select distinct k.document_id as one, o.id as other
      from duplicate_keys k
      cross join lateral (
        select array_agg(document_id) as ids from (
          select document_id from duplicate_keys s where s.key = k.key limit ${COMMON_KEY + 1}) s) same
      cross join lateral unnest(same.ids) as o (id)
      where k.document_id = any(${uuids(ids)}) and cardinality(same.ids) between 2 and ${COMMON_KEY}
        and o.id <> k.document_id and not (o.id = any(${uuids(ids)}) and o.id < k.document_id)
        and not exists (select from duplicate_answers a where a.answer = 'refused'
          and a.first_id = least(k.document_id, o.id) and a.second_id = greatest(k.document_id, o.id))`)
  return rows
}

/**
 * Returns the stored comparison values of those of the documents `ids` that still exist in the project and have such values.
 */
export async function readCompared(tx: Tx, projectId: string, ids: readonly string[]) {
  const { rows } = await tx.execute<{ id: string; compared: StoredComparison }>(sql`
    select document_id as id, compared from duplicate_checks
      where document_id = any(${uuids(ids)}) and project_id = ${projectId} and compared is not null`)
  return rows
}

/**
 * Locks the documents that have not changed since they were read (their change counter is equal), records that they were
 * compared with the other documents, and returns their ids. Skips documents that another transaction has locked.
 */
export async function settle(tx: Tx, compared: readonly Pick<Waiting, 'id' | 'changes'>[]): Promise<string[]> {
  const ids = uuids(compared.map(({ id }) => id))
  const { rows } = await tx.execute<{ id: string }>(sql`
    update duplicate_checks c set is_waiting = false, claimed_at = null, compared_at = now()
      from unnest(${ids}, ${sql.param(compared.map(({ changes }) => changes))}::int[]) as n (id, changes)
      where c.document_id = n.id and c.changes = n.changes and c.project_id is not null and c.document_id = any(array(
        select document_id from duplicate_checks where document_id = any(${ids}) order by document_id for update skip locked))
      returning c.document_id as id`)
  return rows.map(({ id }) => id)
}
