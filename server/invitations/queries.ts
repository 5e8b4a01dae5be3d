import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { user } from '#server/db/tables/auth.ts'
import { documents } from '#server/db/tables/documents.ts'
import { invitations } from '#server/db/tables/invitations.ts'
import { projectMembers } from '#server/db/tables/members.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { projects } from '#server/db/tables/projects.ts'
import { accountName } from '#server/members/index.ts'
import { type Invitation, INVITATION_DAYS } from '#shared/contract/invitations.ts'
import type { ProjectRole } from '#shared/contract/roles.ts'

/** Number of days for which the list of invitations contains expired invitations. */
const LISTED_DAYS = 30

const expiry = sql<string>`now() + make_interval(days => ${INVITATION_DAYS})`
/** The columns of a renewed invitation: a new creation time and expiry, and no claim (reservation for an address). */
const NEW_LINK = { created_at: sql`now()`, expires_at: expiry, claimed_email: null, claimed_at: null }
/** SQL condition that the sender of an invitation is still an owner of the project and has an enabled account. */
const isByOwner = sql<boolean>`exists (
  select from project_members sender where sender.project_id = ${invitations}.project_id
    and sender.user_id = ${invitations}.invited_by and 'manage' = any (app_rights(sender.role))
    and not exists (select from profiles where id = sender.user_id and disabled_at is not null))`
const isValid = sql<boolean>`(${invitations}.expires_at > now() and ${isByOwner})`
/**
 * Number of seconds after which the claim (the reservation for an address) of an invitation link ends, if the sign-up has not
 * created an account.
 */
const CLAIM_SECONDS = 60
/**
 * SQL condition that an invitation link is claimed (reserved) by an address that has an account, or whose sign-up has just
 * started.
 */
export const isClaimed = sql<boolean>`(${invitations}.claimed_email is not null and (
  ${invitations}.claimed_at > now() - make_interval(secs => ${CLAIM_SECONDS})
  or exists (select from "user" claimant where claimant.email = ${invitations}.claimed_email)))`
/** SQL condition that an invitation is valid and its project is not in the trash. */
export const isOpen = and(isValid, isNull(projects.deleted_at))

/** Returns the number of members plus the number of valid invitations of a project. */
export async function countPlaces(tx: Tx, projectId: string): Promise<number> {
  const members = await tx.$count(projectMembers, eq(projectMembers.project_id, projectId))
  return members + (await tx.$count(invitations, and(eq(invitations.project_id, projectId), isValid)))
}

/**
 * Returns those of `emails` that are addresses of members of the project. Must run as the database role that owns the tables.
 */
export async function findMemberAddresses(tx: Tx, projectId: string, emails: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ email: user.email })
    .from(user)
    .innerJoin(projectMembers, eq(projectMembers.user_id, user.id))
    .where(and(eq(projectMembers.project_id, projectId), inArray(user.email, [...emails])))
  return rows.map(({ email }) => email)
}

/** Inserts an invitation, or renews the invitation of the project to the same address. Returns its id. */
export async function saveInvitation(
  tx: Tx,
  row: Pick<typeof invitations.$inferInsert, 'project_id' | 'email' | 'role' | 'message' | 'token_hash' | 'invited_by'>,
): Promise<string> {
  const { project_id: _, email: _of, ...renewed } = row
  const [saved] = await tx
    .insert(invitations)
    .values({ ...row, expires_at: expiry })
    .onConflictDoUpdate({
      target: [invitations.project_id, invitations.email],
      set: { ...renewed, ...NEW_LINK },
    })
    .returning({ id: invitations.id })
  return saved!.id
}

/** Sets a new token, sender and expiry of an invitation. Returns false if the project has no such invitation. */
export async function renewRow(
  tx: Tx,
  projectId: string,
  id: string,
  renewed: { token_hash: string; invited_by: string },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(invitations)
    .set({ ...renewed, ...NEW_LINK })
    .where(and(eq(invitations.project_id, projectId), eq(invitations.id, id)))
  return rowCount === 1
}

/** Deletes an invitation. Returns false when the project has no such invitation. */
export async function deleteRow(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .delete(invitations)
    .where(and(eq(invitations.project_id, projectId), eq(invitations.id, id)))
  return rowCount === 1
}

/**
 * Deletes the invitations that expired a month ago or earlier, in all projects. Must run as the database role that owns the
 * tables.
 */
export async function deleteOldRows(tx: Tx): Promise<void> {
  await tx.delete(invitations).where(lt(invitations.expires_at, sql`now() - make_interval(days => ${LISTED_DAYS})`))
}

/**
 * Deletes the invitations to the address of an account that is being deleted, and the invitation links with which this address
 * signed up. Needs a transaction without row-level security.
 */
export async function deleteInvitationsOf(tx: Tx, userId: string): Promise<void> {
  const address = tx.select({ email: user.email }).from(user).where(eq(user.id, userId))
  await tx
    .delete(invitations)
    .where(or(inArray(invitations.email, address), inArray(invitations.claimed_email, address)))
}

/**
 * Returns the invitations of a project, newest first; with `ids`, only invitations with these ids. Must run as the database
 * role that owns the tables.
 */
export async function listRows(tx: Tx, projectId: string, ids?: readonly string[]): Promise<Invitation[]> {
  const rows = await tx
    .select({
      id: invitations.id,
      project_id: invitations.project_id,
      email: invitations.email,
      role: invitations.role,
      message: invitations.message,
      user_id: user.id,
      name: accountName,
      created_at: invitations.created_at,
      expires_at: invitations.expires_at,
      is_expired: sql<boolean>`not ${isValid}`,
    })
    .from(invitations)
    .leftJoin(user, eq(user.id, invitations.invited_by))
    .leftJoin(profiles, eq(profiles.id, user.id))
    .where(and(eq(invitations.project_id, projectId), ids ? inArray(invitations.id, [...ids]) : undefined))
    .orderBy(desc(invitations.created_at), desc(invitations.id))
  return rows.map(({ user_id, name, ...row }) => ({ ...row, invited_by: user_id === null ? null : { user_id, name } }))
}

/**
 * Returns the id of the project of an invitation, by the hash of its token; undefined if there is no such invitation. Needs a
 * transaction without row-level security.
 */
export async function findProjectOf(tx: Tx, tokenHash: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ id: invitations.project_id })
    .from(invitations)
    .where(eq(invitations.token_hash, tokenHash))
  return found?.id
}

/**
 * Returns the valid invitation with the hash of a token, and locks it. Undefined if there is none or its project is in the
 * trash. Needs a transaction without row-level security.
 */
export async function lockOpenInvitation(tx: Tx, tokenHash: string) {
  const [found] = await tx
    .select({
      id: invitations.id,
      project_id: invitations.project_id,
      email: invitations.email,
      role: invitations.role,
      message: invitations.message,
      invited_by: invitations.invited_by,
      claimed_email: sql<string | null>`case when ${isClaimed} then ${invitations.claimed_email} end`,
    })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.project_id))
    .where(and(eq(invitations.token_hash, tokenHash), isOpen))
    .for('update', { of: invitations })
  return found
}

/** Returns the fields of a project that the reader of an invitation sees before accepting it. */
export async function describeProject(tx: Tx, projectId: string) {
  const inDocuments = and(eq(documents.project_id, projectId), isNull(documents.deleted_at))
  const [project] = await tx
    .select({ project_name: projects.name, research_question: projects.research_question })
    .from(projects)
    .where(eq(projects.id, projectId))
  return {
    ...project!,
    document_count: await tx.$count(documents, inDocuments),
    member_count: await tx.$count(projectMembers, eq(projectMembers.project_id, projectId)),
  }
}

/** Returns the e-mail address and the name of an account. */
export async function findReader(tx: Tx, userId: string) {
  const [found] = await tx
    .select({ email: user.email, isConfirmed: user.emailVerified, name: accountName })
    .from(user)
    .leftJoin(profiles, eq(profiles.id, user.id))
    .where(eq(user.id, userId))
  return found
}

/** Returns the role of an account in a project; undefined for an account that is not a member. */
export async function findRole(tx: Tx, projectId: string, userId: string): Promise<ProjectRole | undefined> {
  const [found] = await tx
    .select({ role: projectMembers.role })
    .from(projectMembers)
    .where(and(eq(projectMembers.project_id, projectId), eq(projectMembers.user_id, userId)))
    .for('update')
  return found?.role
}
