import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#server/db/client.ts'
import { account, session, user } from '#server/db/tables/auth.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { projects, tags } from '#server/db/tables/projects.ts'
import { settledStatus } from '#server/documents/index.ts'
import { env } from '#server/lib/env.ts'

/**
 * A table in the archive of an account. `key` has the columns that order its rows. `owner` is the column with the id of the
 * user to whom a row belongs.
 */
export interface ExportedTable {
  table: PgTable
  key: readonly PgColumn[]
  owner?: PgColumn
  /** Returns the SQL condition that selects the user's rows, if the table has no `owner` column. */
  only?: (userId: string) => SQL
}

/** Returns an SQL condition that is true for the rows of a table with `project_id` whose project has the user as `owner_id`. */
export const ofOwnProjects = (userId: string): SQL =>
  sql`project_id in (select id from projects where owner_id = ${userId})`

/** Returns the SQL condition that a row belongs to an import that the user created. */
export const ofOwnImports = (userId: string): SQL =>
  sql`import_id in (select id from imports where created_by = ${userId})`

/**
 * Returns an SQL condition that is true for the documents in the archive of the user's account: documents that the user added,
 * and documents that are deleted with the account.
 */
export const exportedDocuments = (userId: string): SQL =>
  sql`(${documents.owner_id} = ${userId} or ${ownDocuments(userId)})`

/** Returns the SQL condition that a row belongs to a document in the archive of an account. */
export const ofExportedDocuments = (userId: string): SQL =>
  sql`document_id in (select id from documents where ${exportedDocuments(userId)})`

/** Returns the names of all projects that the caller may read, oldest first. */
export const listProjectNames = (tx: Tx): Promise<{ id: string; name: string }[]> =>
  tx.select({ id: projects.id, name: projects.name }).from(projects).orderBy(asc(projects.created_at), asc(projects.id))

/**
 * Returns up to `limit` rows that follow the key values `after` in key order; null starts with the first row. `owner` and
 * `only` of the table restrict the result to the user's rows.
 */
export async function readRows(
  tx: Tx,
  from: ExportedTable,
  userId: string,
  after: readonly unknown[] | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  // (a, b) > (x, y), expanded so that every value is sent with the type of its column.
  const beyond = after
    ? or(
        ...from.key.map((column, at) =>
          and(...from.key.slice(0, at).map((before, index) => eq(before, after[index])), gt(column, after[at])),
        ),
      )
    : undefined
  return tx
    .select(getTableColumns(from.table))
    .from(from.table)
    .where(and(from.owner ? eq(from.owner, userId) : from.only?.(userId), beyond))
    .orderBy(...from.key.map((column) => asc(column)))
    .limit(limit)
}

/**
 * Returns whether the user may still export a row of a table. `id` is the value of the first key column of the row. Used before
 * a file of the row is added to the archive of the account, because the user can have lost access to the row since the row was
 * read.
 */
export async function hasRow(tx: Tx, from: ExportedTable, userId: string, id: unknown): Promise<boolean> {
  const own = from.owner ? eq(from.owner, userId) : from.only?.(userId)
  return (await tx.$count(from.table, and(own, eq(from.key[0]!, id)))) > 0
}

/** Returns the account with its sessions and sign-in methods, without secrets. */
export async function readAccount(tx: Tx, userId: string) {
  const [person] = await tx.select().from(user).where(eq(user.id, userId))
  const sessions = await tx
    .select({
      created_at: session.createdAt,
      last_used_at: session.updatedAt,
      expires_at: session.expiresAt,
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
    })
    .from(session)
    .where(eq(session.userId, userId))
  const sign_in = await tx
    .select({ provider: account.providerId, created_at: account.createdAt })
    .from(account)
    .where(eq(account.userId, userId))
  return { ...person, sessions, sign_in }
}

/** Returns true if the account can sign in with a password: false when PASSWORD_SIGN_IN is off. */
export async function hasPassword(tx: Tx, userId: string): Promise<boolean> {
  if (!env.PASSWORD_SIGN_IN) return false
  const found = await tx
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.userId, userId), isNotNull(account.password)))
  return found.length > 0
}

/**
 * Returns the ids of the prompts in the prompt library that the user's analyses used. Finds them in the inputs of jobs, so it
 * omits analyses whose jobs have been deleted.
 */
export async function promptIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: sql<string>`${jobs.input} ->> 'prompt_id'` })
    .from(jobs)
    .where(and(eq(jobs.owner_id, userId), sql`${jobs.input} ->> 'prompt_id' is not null`))
  return rows.map(({ id }) => id)
}

/**
 * Returns a subquery with the ids of the projects whose only member is the user, projects in the trash included. They are
 * deleted with the account.
 */
const soleProjects = (userId: string): SQL => sql`(
  select project_id from project_members group by project_id having count(*) = 1 and min(user_id) = ${userId})`

/**
 * Returns the SQL condition that a document is deleted with the account: it is in one of `soleProjects`, or belongs to the user
 * and has no project.
 */
const ownDocuments = (userId: string): SQL => sql`(${documents.project_id} in ${soleProjects(userId)}
  or ${documents.project_id} is null and ${documents.owner_id} = ${userId})`

/** Counts the projects and documents that are deleted with the account. */
export async function countBelongings(tx: Tx, userId: string) {
  return {
    projects: await tx.$count(
      projects,
      and(sql`${projects.id} in ${soleProjects(userId)}`, isNull(projects.deleted_at)),
    ),
    documents: await tx.$count(documents, and(ownDocuments(userId), isNull(documents.deleted_at))),
  }
}

/** Returns the ids of at most `limit` documents that are deleted with the account. */
export async function listSomeDocuments(tx: Tx, userId: string, limit: number): Promise<string[]> {
  const rows = await tx.select({ id: documents.id }).from(documents).where(ownDocuments(userId)).limit(limit)
  return rows.map(({ id }) => id)
}

/** Deletes documents and returns the keys of their files. */
export async function deleteDocumentRows(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const deleted = await tx
    .delete(documents)
    .where(inArray(documents.id, [...ids]))
    .returning({ key: documents.source_url })
  return deleted.flatMap(({ key }) => key ?? [])
}

/**
 * Returns the stored files that are deleted with the account: keys of PDFs, and addresses of hero images with their project
 * ids.
 */
export async function findFiles(tx: Tx, userId: string) {
  const pdfs = await tx
    .select({ key: documents.source_url })
    .from(documents)
    .where(and(ownDocuments(userId), isNotNull(documents.source_url)))
  const pictures = await tx
    .select({ project_id: projects.id, url: projects.hero_image })
    .from(projects)
    .where(and(sql`${projects.id} in ${soleProjects(userId)}`, isNotNull(projects.hero_image)))
  return { pdfs: pdfs.map(({ key }) => key!), pictures }
}

/** SQL condition that the account of the member `m` is not disabled. */
const isEnabledMember = sql`not exists (select from profiles a where a.id = m.user_id and a.disabled_at is not null)`

/**
 * Returns each project that has the account as `owner_id` and other members, with the member to whom it is transferred: the
 * member with the highest role, and among these the longest membership. A member whose account is disabled is the last choice.
 * `successor_id` is null for a project in the trash if this member may not change papers.
 */
export async function findSuccessors(
  tx: Tx,
  userId: string,
): Promise<{ project_id: string; successor_id: string | null }[]> {
  const { rows } = await tx.execute<{ project_id: string; successor_id: string | null }>(sql`
    select distinct on (p.id) p.id as project_id,
      case when p.deleted_at is null or 'edit' = any (app_rights(m.role)) then m.user_id end as successor_id
    from projects p join project_members m on m.project_id = p.id and m.user_id <> ${userId}
    where p.owner_id = ${userId}
    order by p.id, ${isEnabledMember} desc, cardinality(app_rights(m.role)) desc, m.added_at, m.user_id`)
  return rows
}

/**
 * Returns the projects that have the user as `owner_id`, other members and no other owner, ordered by name. Members whose
 * accounts are disabled do not count. Omits projects in the trash.
 */
export async function findOwnedProjects(tx: Tx, userId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.execute<{ id: string; name: string }>(sql`
    select p.id, p.name from projects p
    where p.owner_id = ${userId} and p.deleted_at is null
      and exists (select from project_members m where m.project_id = p.id and m.user_id <> ${userId} and ${isEnabledMember})
      and not exists (select from project_members m
        where m.project_id = p.id and m.user_id <> ${userId} and m.role = 'owner' and ${isEnabledMember})
    order by lower(p.name), p.id`)
  return rows
}

/** Returns the ids of all documents of a project, documents in the trash included. */
export async function listDocumentIds(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.select({ id: documents.id }).from(documents).where(eq(documents.project_id, projectId))
  return rows.map(({ id }) => id)
}

/**
 * Prepares the deletion of an account, which also deletes its jobs. If a document with the status 'processing' has a queued or
 * running job of the account, sets the status that the document has without a job (`settledStatus`).
 */
export async function settleProcessed(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(documents)
    .set({ status: settledStatus })
    .where(
      and(
        eq(documents.status, 'processing'),
        sql`${documents.id} in (select document_id from jobs where created_by = ${userId} and status in ('queued', 'running'))`,
      ),
    )
}

/**
 * Locks the row of an account. Deletes the account's documents and tags that are in no project, and the projects whose only
 * member is the account. Rows that the account created in projects of other users remain.
 */
export async function deleteLibrary(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
  await tx.delete(documents).where(ownDocuments(userId))
  await tx.delete(projects).where(sql`${projects.id} in ${soleProjects(userId)}`)
  await tx.delete(tags).where(and(isNull(tags.project_id), eq(tags.owner_id, userId)))
}
