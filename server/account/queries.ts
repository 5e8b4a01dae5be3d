import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#server/db/client.ts'
import { account, session, user, verification } from '#server/db/tables/auth.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { projects } from '#server/db/tables/projects.ts'

/** Up to `limit` rows that follow `after` in key order. Runs in the caller's role; `owner` limits it to the user's rows. */
export async function readRows(
  tx: Tx,
  from: { table: PgTable; key: readonly PgColumn[]; owner?: PgColumn | undefined },
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
    .where(and(from.owner ? eq(from.owner, userId) : undefined, beyond))
    .orderBy(...from.key.map((column) => asc(column)))
    .limit(limit)
}

/** The account with its sessions and sign-in methods, without secrets. */
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

/** Returns true if the account can sign in with a password. */
export async function hasPassword(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.userId, userId), isNotNull(account.password)))
  return found.length > 0
}

/** The ids of the library prompts that the user's analyses used, as far as their jobs still exist. */
export async function promptIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: sql<string>`${jobs.input} ->> 'prompt_id'` })
    .from(jobs)
    .where(and(eq(jobs.owner_id, userId), sql`${jobs.input} ->> 'prompt_id' is not null`))
  return rows.map(({ id }) => id)
}

/** Counts the projects and documents that are deleted with the account. */
export async function countBelongings(tx: Tx, userId: string) {
  const [found] = await tx
    .select({
      projects: sql<number>`(select count(*)::int from projects where projects.owner_id = ${userId} and projects.deleted_at is null)`,
      documents: sql<number>`(select count(*)::int from documents where documents.owner_id = ${userId} and documents.deleted_at is null)`,
    })
    .from(user)
    .where(eq(user.id, userId))
  return found ?? { projects: 0, documents: 0 }
}

/** Stored files of a user: keys of PDFs and addresses of hero images. */
export async function findFiles(tx: Tx, userId: string) {
  const pdfs = await tx
    .select({ key: documents.source_url })
    .from(documents)
    .where(and(eq(documents.owner_id, userId), isNotNull(documents.source_url)))
  const pictures = await tx
    .select({ project_id: projects.id, url: projects.hero_image })
    .from(projects)
    .where(and(eq(projects.owner_id, userId), isNotNull(projects.hero_image)))
  return { pdfs: pdfs.map(({ key }) => key!), pictures }
}

/** Deletes the account and all its rows. Documents are deleted before their projects. */
export async function deleteAccountRows(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
  await tx.delete(documents).where(eq(documents.owner_id, userId))
  await tx.delete(verification).where(inArray(verification.value, [userId]))
  await tx.delete(user).where(eq(user.id, userId))
}
