import { and, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import type { ProfilePatch } from '#shared/contract/profiles.ts'

/** The columns of a profile that its user may see, in `shown`. Only admins see the last sign-in and the time of disabling. */
const {
  disabled_at: _disabled,
  last_sign_in_at: _lastSignIn,
  field_versions: _fields,
  ...shown
} = getTableColumns(profiles)

/** Returns a profile that the caller may read: the caller's own profile, or any profile for an admin. Undefined otherwise. */
export async function findProfile(tx: Tx, id: string) {
  const [row] = await tx.select(shown).from(profiles).where(eq(profiles.id, id))
  return row
}

/** Returns a profile with `disabled_at`: the time at which an admin disabled the account, or null. */
export async function findStanding(tx: Pick<Tx, 'select'>, id: string) {
  const [row] = await tx
    .select({ ...shown, disabled_at: profiles.disabled_at })
    .from(profiles)
    .where(eq(profiles.id, id))
  return row
}

/** Sets the time of the last sign-in to the current time. Needs a transaction without row-level security. */
export async function touchSignIn(tx: Tx, id: string): Promise<void> {
  await tx
    .update(profiles)
    .set({ last_sign_in_at: sql`now()` })
    .where(eq(profiles.id, id))
}

/** Returns true if the user has ever signed in. */
export async function hasSignedIn(tx: Tx, id: string): Promise<boolean> {
  return (await tx.$count(profiles, and(eq(profiles.id, id), isNotNull(profiles.last_sign_in_at)))) > 0
}

/** Returns a profile with the versions of its fields, locked until the transaction ends. */
export async function lockProfile(tx: Tx, id: string) {
  const [row] = await tx
    .select({ ...shown, field_versions: profiles.field_versions })
    .from(profiles)
    .where(eq(profiles.id, id))
    .for('update')
  return row
}

/** Changes the fields of a profile that the patch contains. */
export async function updateProfileRow(tx: Tx, id: string, patch: Omit<ProfilePatch, 'version'>) {
  const [row] = await tx
    .update(profiles)
    .set({ ...patch, updated_at: sql`now()` })
    .where(eq(profiles.id, id))
    .returning(shown)
  return row
}

/** Sets the address of a user's avatar. Returns the previous address, or undefined without a profile. */
export async function swapAvatar(tx: Tx, id: string, url: string | null): Promise<string | null | undefined> {
  const [before] = await tx.select({ url: profiles.avatar_url }).from(profiles).where(eq(profiles.id, id)).for('update')
  if (!before) return undefined
  await tx
    .update(profiles)
    .set({ avatar_url: url, updated_at: sql`now()` })
    .where(eq(profiles.id, id))
  return before.url
}

/** Serializes changes of admin rights (advisory lock, released at the end of the transaction). */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:first-admin'))`)
}

/** Returns whether any account exists. If none exists, `insertProfile` makes the first account an admin. */
export async function hasProfiles(tx: Tx): Promise<boolean> {
  return (await tx.select({ id: profiles.id }).from(profiles).limit(1)).length > 0
}

/**
 * Inserts a profile. The first profile of an installation becomes an admin unless `canBecomeAdmin` is false. If several users
 * sign up first at the same time, only one becomes an admin.
 */
export async function insertProfile(
  tx: Tx,
  row: { id: string; email: string; full_name: string },
  canBecomeAdmin: boolean,
) {
  await lockAdmins(tx)
  await tx
    .insert(profiles)
    .values({ ...row, is_admin: canBecomeAdmin ? sql`not exists (select 1 from ${profiles})` : false })
    .onConflictDoNothing({ target: profiles.id })
  return findProfile(tx, row.id)
}

/** Sets the admin flag of an account. Returns whether it changed. */
export async function setAdminFlag(tx: Tx, id: string, isAdmin: boolean): Promise<boolean> {
  const changed = await tx
    .update(profiles)
    .set({ is_admin: isAdmin, updated_at: sql`now()` })
    .where(and(eq(profiles.id, id), eq(profiles.is_admin, !isAdmin)))
    .returning({ id: profiles.id })
  return changed.length > 0
}

/** Counts the admins whose accounts are not disabled. */
export async function countAdmins(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(profiles)
    .where(and(eq(profiles.is_admin, true), isNull(profiles.disabled_at)))
  return row?.n ?? 0
}

/**
 * Returns two numbers: `admins`, the number of all admins whose accounts are not disabled, and `others`, the number of all
 * users except the user `id`.
 */
export async function countAround(tx: Tx, id: string): Promise<{ admins: number; others: number }> {
  const [row] = await tx
    .select({
      admins: sql<number>`count(*) filter (where ${profiles.is_admin} and ${profiles.disabled_at} is null)::int`,
      others: sql<number>`count(*) filter (where ${profiles.id} <> ${id})::int`,
    })
    .from(profiles)
  return row ?? { admins: 0, others: 0 }
}

/** Changes the admin right, or disables or enables an account. Needs a transaction without row-level security. */
export async function updateRights(tx: Tx, id: string, change: { is_admin: boolean } | { disabled: boolean }) {
  const set = 'disabled' in change ? { disabled_at: change.disabled ? sql`now()` : null } : change
  await tx
    .update(profiles)
    .set({ ...set, updated_at: sql`now()` })
    .where(eq(profiles.id, id))
}
