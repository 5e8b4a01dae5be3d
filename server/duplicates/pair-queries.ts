import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { Resemblance } from '#shared/contract/duplicates.ts'
import { uuids } from './check-queries.ts'

/** Queries of the pairs and groups of suspected duplicates. They run as the system. */

/** Two documents that are suspected to be the same paper. `first` is the smaller id. */
export interface SuspectedPair extends Resemblance {
  first: string
  second: string
}

/** Locks the suspected pairs of a project, so that no other transaction changes them until this transaction ends. */
export async function lockPairs(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`duplicates ${projectId}`}, 0))`)
}

/**
 * Replaces the pairs of the documents `ids`, also those in an earlier project of a document, by `pairs`. Returns whether this
 * changed a stored pair. Omits pairs with a document that was deleted in the meantime.
 */
export async function replacePairs(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
  pairs: readonly SuspectedPair[],
): Promise<boolean> {
  const found = sql`unnest(${uuids(pairs.map(({ first }) => first))}, ${uuids(pairs.map(({ second }) => second))})`
  const removed = await tx.execute(sql`
    delete from duplicate_pairs p where (first_id = any(${uuids(ids)}) or second_id = any(${uuids(ids)}))
      and (project_id <> ${projectId} or not exists (select from ${found} as n (first_id, second_id)
        where n.first_id = p.first_id and n.second_id = p.second_id))`)
  const added = await tx.execute(sql`
    insert into duplicate_pairs as p
        (project_id, first_id, second_id, group_id, likeness, title_likeness, title_begins, equal, years_apart)
      select ${projectId}::uuid, n.first, n.second, n.first, n.likeness, n.title_likeness, n.title_begins,
          array(select jsonb_array_elements_text(n.equal)), n.years_apart
        from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as n (first uuid, second uuid, likeness text,
          title_likeness real, title_begins boolean, equal jsonb, years_apart int)
        join duplicate_checks a on a.document_id = n.first and a.project_id = ${projectId}
        join duplicate_checks b on b.document_id = n.second and b.project_id = ${projectId}
      on conflict (first_id, second_id) do update set likeness = excluded.likeness,
          title_likeness = excluded.title_likeness, title_begins = excluded.title_begins,
          equal = excluded.equal, years_apart = excluded.years_apart
        where (p.likeness, p.title_likeness, p.title_begins, p.equal, p.years_apart) is distinct from
          (excluded.likeness, excluded.title_likeness, excluded.title_begins, excluded.equal, excluded.years_apart)`)
  return (removed.rowCount ?? 0) + (added.rowCount ?? 0) > 0
}

/** A stored pair of documents with the id of its group. */
export interface GroupedPair {
  first: string
  second: string
  group: string
}

/** Returns the ids of the groups with a pair that contains one of the documents. */
export async function groupsOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select distinct group_id as id from duplicate_pairs where first_id = any(${uuids(ids)}) or second_id = any(${uuids(ids)})`)
  return rows.map(({ id }) => id)
}

/** Returns all stored pairs of documents that belong to the groups with these ids. */
export async function pairsOfGroups(tx: Tx, projectId: string, groups: readonly string[]): Promise<GroupedPair[]> {
  const { rows } = await tx.execute<Record<'first' | 'second' | 'group', string>>(sql`
    select first_id as first, second_id as second, group_id as group from duplicate_pairs
      where project_id = ${projectId} and group_id = any(${uuids(groups)})`)
  return rows
}

/** Stores the new group of each pair. */
export async function storeGroups(tx: Tx, pairs: readonly GroupedPair[]): Promise<void> {
  await tx.execute(sql`
    update duplicate_pairs p set group_id = n.group_id
      from unnest(${uuids(pairs.map(({ first }) => first))}, ${uuids(pairs.map(({ second }) => second))},
        ${uuids(pairs.map(({ group }) => group))}) as n (first_id, second_id, group_id)
      where p.first_id = n.first_id and p.second_id = n.second_id`)
}
