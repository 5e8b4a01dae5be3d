import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { SearchScope } from '#shared/contract/library-search.ts'

/**
 * The documents that a search covers before its filters: all documents of the projects with the ids `projects` and, unless
 * `unassignedOf` is null, the documents of the caller without a project.
 */
export interface Scope {
  projects: string[]
  /** The id of the caller if documents without a project are included, otherwise null. */
  unassignedOf: string | null
}

/**
 * Returns the ids of projects that the caller may read: those that the caller owns ('mine'), those of other owners ('shared'),
 * or both ('all'). Row-level security hides all other projects.
 */
export async function listProjects(tx: Tx, scope: Exclude<SearchScope, 'project'>): Promise<string[]> {
  const own = { mine: sql`owner_id = app_user_id()`, shared: sql`owner_id <> app_user_id()`, all: sql`true` }[scope]
  const { rows } = await tx.execute<{ id: string }>(sql`select id from projects where ${own}`)
  return rows.map(({ id }) => id)
}

/**
 * Returns the SQL condition that a row is in the scope. `name` is the name or alias of a table with the columns `project_id`
 * and `created_by`. The condition can use an index that begins with `project_id`.
 */
export function inScope({ projects, unassignedOf }: Scope, name: string): SQL {
  const table = sql.raw(name)
  const ofProjects = sql`${table}.project_id = any(${sql.param(projects)}::uuid[])`
  return unassignedOf === null
    ? ofProjects
    : sql`(${ofProjects} or ${table}.project_id is null and ${table}.created_by = ${unassignedOf})`
}

/**
 * Rows of `chunk_terms` with at most this number of positions are in an index that also contains their arrays (migration 0116).
 */
const MOST_INDEXED = sql.raw('200')

/**
 * Returns a subquery with the rows of `chunk_terms t` in the scope that match a condition. It is a union of parts, so that each
 * part scans a single index, mostly without reading the table.
 */
export function termRows({ projects, unassignedOf }: Scope, condition: SQL): SQL {
  const ofProjects = inScope({ projects, unassignedOf: null }, 't')
  const unassigned = sql`t.project_id is null and t.created_by = ${unassignedOf}`
  const parts = (unassignedOf === null ? [ofProjects] : [ofProjects, unassigned]).flatMap((rows) =>
    [sql`<=`, sql`>`].map(
      (compare) => sql`select t.document_id, t.term, t.positions, t.counts, t.lengths from chunk_terms t
        where ${rows} and ${condition} and cardinality(t.positions) ${compare} ${MOST_INDEXED}`,
    ),
  )
  return sql`(${sql.join(parts, sql` union all `)})`
}

/** The documents that a search covers: the documents in a scope that match a filter. */
export interface Covered {
  scope: Scope
  /** An SQL condition on a document `d`; null without filters. */
  filter: SQL | null
}

/**
 * Returns the SQL condition that the document with the id in the column `document` matches the filter of a search. Without a
 * filter the condition is true for every document, also outside the scope, so the query must also contain the condition
 * `inScope`.
 */
export const among = ({ scope, filter }: Covered, document: string): SQL =>
  filter === null
    ? sql`true`
    : sql`${sql.raw(document)} in (select d.id from documents d where ${inScope(scope, 'd')} and ${filter})`

/**
 * Returns the ids of the soft-deleted documents in a scope, packed in 16 bytes each. Must run as the database role that owns
 * the tables.
 */
export async function packDeleted(tx: Tx, scope: Scope): Promise<Uint8Array> {
  const { rows } = await tx.execute<{ ids: Buffer | null }>(sql`
    select string_agg(uuid_send(d.id), '') as ids from documents d where d.deleted_at is not null and ${inScope(scope, 'd')}`)
  return rows[0]!.ids ?? new Uint8Array()
}

/** Returns the ids of the documents that a search covers, packed in 16 bytes each. */
export async function packCovered(tx: Tx, { scope, filter }: Covered): Promise<Uint8Array> {
  const { rows } = await tx.execute<{ ids: Buffer | null }>(sql`
    select string_agg(uuid_send(d.id), '') as ids from documents d where ${inScope(scope, 'd')} and ${filter ?? sql`true`}`)
  return rows[0]!.ids ?? new Uint8Array()
}

/**
 * A condition on the text of a passage, or on its paper (an SQL query of the ids). A text must match `expression`, a regular
 * expression. Only texts with all `terms` can match it. If it is null, all texts with these terms match.
 */
export type Condition = { terms: string[]; expression: string | null } | { documents: SQL }

/** The conditions of a search that a passage must match. */
export interface PassageConditions {
  /** Groups of alternatives. A passage must match at least one alternative of each group. */
  required: Condition[][]
  excludedTerms: string[]
  excludedExpressions: string[]
}

/**
 * Returns the SQL of the conditions on a passage. `document` and `position` are the columns that identify the passage;
 * `content` is the column with its text, or null if the SQL must read the text from the chunk.
 */
export function passageConditions(
  { required, excludedTerms, excludedExpressions }: PassageConditions,
  document: string,
  position: string,
  content: string | null,
): SQL {
  const [documentId, at] = [sql.raw(document), sql.raw(position)]
  const matches = (expression: string) =>
    content === null
      ? sql`exists (select 1 from chunks c where c.document_id = ${documentId} and c.position = ${at} and c.content ~* ${expression})`
      : sql`${sql.raw(content)} ~* ${expression}`
  const hasTerm = (terms: readonly string[]) =>
    sql`exists (select 1 from chunk_terms x where x.document_id = ${documentId}
      and x.term = any(${sql.param([...terms])}::text[]) and ${at} = any(x.positions))`
  const fulfills = (one: Condition) =>
    'documents' in one
      ? sql`${documentId} in (${one.documents})`
      : one.expression === null
        ? sql`(${sql.join(
            one.terms.map((term) => hasTerm([term])),
            sql` and `,
          )})`
        : matches(one.expression)
  const all = [
    ...required.map((group) => sql`(${sql.join(group.map(fulfills), sql` or `)})`),
    ...excludedExpressions.map((expression) => sql`not ${matches(expression)}`),
  ]
  if (excludedTerms.length > 0) all.push(sql`not ${hasTerm(excludedTerms)}`)
  return all.length > 0 ? sql.join(all, sql` and `) : sql`true`
}

/** Identifies a passage: its document and its position in the document. */
export interface Place {
  document_id: string
  position: number
}

/** The key of a passage in a Map or Set. */
export const placeKey = ({ document_id, position }: Place): string => `${document_id} ${position}`
