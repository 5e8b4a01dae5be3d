import { and, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import type { ProfilePatch } from '#shared/profiles.ts'

/** A profile as its person sees it: when the account signed in or was disabled is the admins' business. */
const { disabled_at: _disabled, last_sign_in_at: _lastSignIn, ...shown } = getTableColumns(profiles)

/** Under the caller's role: their own profile, or any for an admin. */
export async function findProfile(tx: Tx, id: string) {
  const [row] = await tx.select(shown).from(profiles).where(eq(profiles.id, id))
  return row
}

/** The same, with what decides whether the account may be used. */
export async function findStanding(tx: Tx, id: string) {
  const [row] = await tx
    .select({ ...shown, disabled_at: profiles.disabled_at })
    .from(profiles)
    .where(eq(profiles.id, id))
  return row
}

/** Under the owner's role: when somebody last came in. */
export async function touchSignIn(tx: Tx, id: string): Promise<void> {
  await tx
    .update(profiles)
    .set({ last_sign_in_at: sql`now()` })
    .where(eq(profiles.id, id))
}

/** Whether the person has ever signed in. */
export async function hasSignedIn(tx: Tx, id: string): Promise<boolean> {
  return (await tx.$count(profiles, and(eq(profiles.id, id), isNotNull(profiles.last_sign_in_at)))) > 0
}

export async function updateProfileRow(tx: Tx, id: string, patch: ProfilePatch) {
  const [row] = await tx
    .update(profiles)
    .set({ ...patch, updated_at: sql`now()` })
    .where(eq(profiles.id, id))
    .returning(shown)
  return row
}

/** Sets the address of the person's picture and gives the one before; undefined without a profile. */
export async function swapAvatar(tx: Tx, id: string, url: string | null): Promise<string | null | undefined> {
  const [before] = await tx.select({ url: profiles.avatar_url }).from(profiles).where(eq(profiles.id, id)).for('update')
  if (!before) return undefined
  await tx
    .update(profiles)
    .set({ avatar_url: url, updated_at: sql`now()` })
    .where(eq(profiles.id, id))
  return before.url
}

/** Holds off every other change of who is an admin until the transaction ends. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:first-admin'))`)
}

/** Whether there is anybody; what `insertProfile` makes an admin by. */
export async function hasProfiles(tx: Tx): Promise<boolean> {
  return (await tx.select({ id: profiles.id }).from(profiles).limit(1)).length > 0
}

/** Inserts a profile; the first one on an empty installation is an admin. Two first sign-ups at once make one admin. */
export async function insertProfile(tx: Tx, row: { id: string; email: string; full_name: string }) {
  await lockAdmins(tx)
  await tx
    .insert(profiles)
    .values({ ...row, is_admin: sql`not exists (select 1 from ${profiles})` })
    .onConflictDoNothing({ target: profiles.id })
  return findProfile(tx, row.id)
}

export async function setAdminFlag(tx: Tx, email: string, isAdmin: boolean) {
  const [row] = await tx
    .update(profiles)
    .set({ is_admin: isAdmin, updated_at: sql`now()` })
    .where(sql`lower(${profiles.email}) = lower(${email})`)
    .returning(shown)
  return row
}

/** How many can act as an admin: a disabled one cannot. */
export async function countAdmins(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(profiles)
    .where(and(eq(profiles.is_admin, true), isNull(profiles.disabled_at)))
  return row?.n ?? 0
}

/** How many admins there are, and how many people beside this one. */
export async function countAround(tx: Tx, id: string): Promise<{ admins: number; others: number }> {
  const [row] = await tx
    .select({
      admins: sql<number>`count(*) filter (where ${profiles.is_admin} and ${profiles.disabled_at} is null)::int`,
      others: sql<number>`count(*) filter (where ${profiles.id} <> ${id})::int`,
    })
    .from(profiles)
  return row ?? { admins: 0, others: 0 }
}
