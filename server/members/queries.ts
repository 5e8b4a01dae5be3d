import { and, eq, inArray, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { commitWithoutWaiting, type Tx } from '#server/db/client.ts'
import { user } from '#server/db/tables/auth.ts'
import { invitations } from '#server/db/tables/invitations.ts'
import { projectMembers } from '#server/db/tables/members.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import type { ProjectRight, ProjectRole } from '#shared/contract/roles.ts'

/**
 * Returns an SQL column with the caller's rights in a project, restricted to the rights of the API key. `project` is the column
 * with the project's id. A row without a project gives all rights, because row-level security shows it only to its creator. The
 * system also has all rights.
 */
export const mayIn = (project: SQLWrapper): SQL<ProjectRight[]> => sql<ProjectRight[]>`app_key_rights(app_rights(case
  when ${project} is null or app_user_id() is null then 'owner' else (
    select member.role from project_members member
    where member.project_id = ${project} and member.user_id = app_user_id()) end))`

/** Returns an SQL column with the caller's role in a project, or 'owner' if the caller is not a member (such as the system). */
export const roleIn = (project: SQLWrapper): SQL<ProjectRole> => sql<ProjectRole>`coalesce((
  select member.role from project_members member
  where member.project_id = ${project} and member.user_id = app_user_id()), 'owner')`

/** Returns an SQL column with the number of members of a project. */
export const memberCount = (project: SQLWrapper): SQL<number> => sql<number>`(
  select count(*)::int from project_members member where member.project_id = ${project})`

/**
 * Returns the SQL condition that the caller has the right in the project, or that the row has no project. `project` is the
 * column with the project's id.
 */
export const hasRight = (project: SQLWrapper, right: ProjectRight): SQL =>
  sql`(${project} is null or ${project} = any(array(select app_projects(${right}))))`

/** Returns an SQL column that is true if the project is the caller's default project. */
export const isDefault = (project: SQLWrapper): SQL<boolean> => sql<boolean>`exists (
  select from project_members member
  where member.project_id = ${project} and member.user_id = app_user_id() and member.is_default)`

/**
 * Returns an SQL column with the first path segment of the addresses of a project's pages. The segment is the name of the
 * project. If the caller does not own the project and has another project with this name, the segment is the name, '~' and the
 * first four digits of the project's id.
 */
export const addressIn = (projects: SQLWrapper): SQL<string> => sql<string>`case
  when ${projects}.owner_id <> app_user_id() and exists (
    select from projects other where lower(other.name) = lower(${projects}.name) and other.id <> ${projects}.id)
  then ${projects}.name || '~' || left(${projects}.id::text, 4) else ${projects}.name end`

/**
 * Serializes changes of the default project of a user, so that a user who has projects has exactly one default project
 * (advisory lock, released at the end of the transaction).
 */
export async function lockDefault(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`lectern:default:${userId}`}))`)
}

/**
 * Serializes changes of the members and invitations of a project (advisory lock, released at the end of the transaction). Call
 * it before rows are locked, and check rights after it.
 */
export async function lockMembers(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`lectern:members:${projectId}`}))`)
}

/**
 * Serializes changes of the members of all projects of which the account is a member (advisory locks, released at the end of
 * the transaction; see `lockMembers`). Must run as the database role that owns the tables.
 */
export async function lockMembersWith(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:members:' || own.project_id)) from (
    select project_id from project_members where user_id = ${userId} order by project_id) own`)
}

/**
 * Replaces the user's default project by the project `projectId`. Call `lockDefault` before. Must run as the database role that
 * owns the tables.
 */
export async function moveDefault(tx: Tx, userId: string, projectId: string): Promise<void> {
  const own = eq(projectMembers.user_id, userId)
  await tx
    .update(projectMembers)
    .set({ is_default: false })
    .where(and(own, eq(projectMembers.is_default, true)))
  await tx
    .update(projectMembers)
    .set({ is_default: true })
    .where(and(own, eq(projectMembers.project_id, projectId)))
}

/**
 * Returns the ids of the members who have the project as their default project. Must run as the database role that owns the
 * tables.
 */
export async function listDefaultsOf(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: projectMembers.user_id })
    .from(projectMembers)
    .where(and(eq(projectMembers.project_id, projectId), eq(projectMembers.is_default, true)))
    .orderBy(projectMembers.user_id)
  return rows.map(({ id }) => id)
}

/**
 * Makes the user's newest other project the default project instead of `without`. Must run as the database role that owns the
 * tables.
 */
export async function promoteNewest(tx: Tx, userId: string, without: string): Promise<void> {
  await tx
    .update(projectMembers)
    .set({ is_default: false })
    .where(and(eq(projectMembers.user_id, userId), eq(projectMembers.project_id, without)))
  await tx.execute(sql`
    update ${projectMembers} set is_default = true where user_id = ${userId} and project_id = (
      select p.id from project_members m join projects p on p.id = m.project_id
      where m.user_id = ${userId} and p.id <> ${without} and p.deleted_at is null order by p.created_at desc limit 1)`)
}

/** Returns whether the user has a default project. Must run as the database role that owns the tables. */
export async function hasDefault(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx
    .select({ id: projectMembers.user_id })
    .from(projectMembers)
    .where(and(eq(projectMembers.user_id, userId), eq(projectMembers.is_default, true)))
  return found.length > 0
}

/**
 * Returns the ids of the members of a project who have no default project, in the order of their ids. Must run as the database
 * role that owns the tables.
 */
export async function listWithoutDefault(tx: Tx, projectId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select user_id as id from ${projectMembers} member where project_id = ${projectId} and not exists (
      select from ${projectMembers} other where other.user_id = member.user_id and other.is_default) order by user_id`)
  return rows.map(({ id }) => id)
}

/** Changes the role of a member to owner. */
export async function makeOwner(tx: Tx, projectId: string, userId: string): Promise<void> {
  await tx.update(projectMembers).set({ role: 'owner' }).where(membership(userId, projectId))
}

/** SQL column with the name of an account. Needs a query of the tables `user` and `profiles`. */
export const accountName = sql<string>`coalesce(nullif(${profiles.full_name}, ''), nullif(${profiles.display_name}, ''), ${user.name})`

/** Returns the names of accounts by account id. Must run as the database role that owns the tables. */
export async function listNames(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: user.id, name: accountName })
    .from(user)
    .leftJoin(profiles, eq(profiles.id, user.id))
    .where(inArray(user.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const membership = (userId: string, projectId: string) =>
  and(eq(projectMembers.project_id, projectId), eq(projectMembers.user_id, userId))

/**
 * Returns the members of a project with their names, longest membership first. With `enabledOnly`, omits members whose accounts
 * are disabled. Must run as the database role that owns the tables.
 */
export async function listMemberRows(tx: Tx, projectId: string, { enabledOnly = false } = {}) {
  return tx
    .select({
      user_id: projectMembers.user_id,
      name: accountName,
      email: user.email,
      avatar_url: profiles.avatar_url,
      role: projectMembers.role,
      added_at: projectMembers.added_at,
      version: projectMembers.version,
      last_seen_on: sql<string | null>`(${projectMembers.last_seen_at} at time zone 'UTC')::date::text`,
    })
    .from(projectMembers)
    .innerJoin(user, eq(user.id, projectMembers.user_id))
    .leftJoin(profiles, eq(profiles.id, projectMembers.user_id))
    .where(and(eq(projectMembers.project_id, projectId), enabledOnly ? isNull(profiles.disabled_at) : undefined))
    .orderBy(projectMembers.added_at, projectMembers.user_id)
}

/** Sets the time of a member's last visit to now. Must run as the database role that owns the tables. */
export async function setLastSeen(tx: Tx, projectId: string, userId: string): Promise<void> {
  await commitWithoutWaiting(tx)
  await tx
    .update(projectMembers)
    .set({ last_seen_at: sql`now()` })
    .where(membership(userId, projectId))
}

/** Inserts a member. Must run as the database role that owns the tables. */
export async function insertMember(
  tx: Tx,
  row: Pick<typeof projectMembers.$inferInsert, 'project_id' | 'user_id' | 'role' | 'added_by'>,
): Promise<void> {
  await tx.insert(projectMembers).values(row)
}

/** Changes the role of a member. Returns false when the account is not a member. */
export async function updateRole(tx: Tx, projectId: string, userId: string, role: ProjectRole): Promise<boolean> {
  const { rowCount } = await tx.update(projectMembers).set({ role }).where(membership(userId, projectId))
  return rowCount === 1
}

/**
 * Deletes the invitations of a project to the e-mail address of an account. Must run as the database role that owns the tables.
 */
export async function deleteInvitationsTo(tx: Tx, projectId: string, userId: string): Promise<void> {
  const address = tx.select({ email: user.email }).from(user).where(eq(user.id, userId))
  await tx.delete(invitations).where(and(eq(invitations.project_id, projectId), inArray(invitations.email, address)))
}

/** Ends a membership. Returns false when the account is not a member. */
export async function deleteMember(tx: Tx, projectId: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(projectMembers).where(membership(userId, projectId))
  return rowCount === 1
}
