import { recordAudit } from '#server/audit/index.ts'
import { asActor, asSystem, asSystemAtOnce, type Tx } from '#server/db/client.ts'
import { isDisabledAccount } from '#server/events/event-queries.ts'
import { endStreams } from '#server/events/events.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import type { Actor } from '#server/db/actor.ts'
import { PROFILE_FAILED, type Profile, type ProfilePatch } from '#shared/contract/profiles.ts'
import {
  countAround,
  findProfile,
  findStanding,
  hasProfiles,
  insertProfile,
  lockAdmins,
  lockProfile,
  setAdminFlag,
  updateProfileRow,
} from './queries.ts'

/**
 * Creates the profile of a new account. Its full name is `name`, or else the part of the e-mail address before the @. The first
 * account becomes an admin, unless `canBecomeAdmin` is false.
 */
export async function createProfile(
  account: { id: string; email: string; name?: string | null },
  canBecomeAdmin: boolean,
): Promise<Profile> {
  const full_name = account.name?.trim() || (account.email.split('@')[0] ?? account.email)
  const failed = (cause?: unknown) => {
    log.error({ err: cause, user: account.id }, 'could not create the profile of an account')
    return new AppError('internal', PROFILE_FAILED, { cause })
  }
  const row = await asSystem((tx) =>
    insertProfile(tx, { id: account.id, email: account.email, full_name }, canBecomeAdmin),
  ).catch((error: unknown) => {
    throw failed(error)
  })
  if (!row) throw failed()
  return row
}

/** Returns the profile of an account, and creates it if it is missing. Returns null for a disabled account. */
export async function openProfile(account: {
  id: string
  email: string
  name?: string | null
}): Promise<Profile | null> {
  const found = await asSystemAtOnce((db) => findStanding(db, account.id))
  if (!found) return createProfile(account, env.OIDC_ADMIN_CLAIM === undefined)
  const { disabled_at, ...profile } = found
  return disabled_at === null ? profile : null
}

/** Returns true if an account is disabled. */
export const isDisabled = (id: string): Promise<boolean> => asSystemAtOnce((db) => isDisabledAccount(db, id))

/** Returns true if an account is an admin and not disabled. */
export async function mayAdminister(id: string): Promise<boolean> {
  const standing = await asSystemAtOnce((db) => findStanding(db, id))
  return standing?.is_admin === true && standing.disabled_at === null
}

/** Returns whether no account exists yet. The first account becomes an admin. */
export const isEmptyInstallation = (): Promise<boolean> => asSystem(async (tx) => !(await hasProfiles(tx)))

/** Returns the caller's own profile, or any profile if the caller is an admin. Throws 'not_found' otherwise. */
export async function getProfile(actor: Actor, id: string): Promise<Profile> {
  const row = await asActor(actor, (tx) => findProfile(tx, id))
  if (!row) throw notFound('Profile')
  return row
}

/**
 * Changes the caller's own profile. Throws 'not_found' for the profile of another user, and 'changed' if a field has been
 * changed after the version of the patch.
 */
export async function updateProfile(actor: Actor, id: string, patch: ProfilePatch): Promise<Profile> {
  if (id !== actor.userId) throw notFound('Profile')
  const { version, ...change } = patch
  const row = await asActor(actor, async (tx) => {
    const before = await lockProfile(tx, id)
    if (before) refuseStaleChange(before, change, version, ({ field_versions: _fields, ...profile }) => profile)
    return updateProfileRow(tx, id, change)
  })
  if (!row) throw notFound('Profile')
  return row
}

/**
 * Grants or removes the admin right according to the claims of the sign-in provider (OIDC_ADMIN_CLAIM). Does not remove the
 * right of the last admin, so that a wrong setting of the provider does not leave the installation without an admin.
 */
export const setAdminByClaim = (id: string, isAdmin: boolean): Promise<void> =>
  asSystem(async (tx) => {
    await lockAdmins(tx)
    if (!isAdmin && (await countAround(tx, id)).admins <= 1) return
    if (!(await setAdminFlag(tx, id, isAdmin))) return
    // A former admin must not keep receiving events for admins.
    if (!isAdmin) await endStreams(tx, id)
    const action = isAdmin ? 'person.admin_granted' : 'person.admin_removed'
    await recordAudit(tx, null, { action, subjectId: id, details: { by: 'OIDC_ADMIN_CLAIM' } })
  })

/**
 * Throws 'conflict' if the user is the last admin and other users exist. A disabled admin does not count. Serializes changes of
 * admin rights until `tx` ends. Call it before an account is deleted.
 */
export async function keepAnAdmin(tx: Tx, leavingId: string): Promise<void> {
  await lockAdmins(tx)
  const standing = await findStanding(tx, leavingId)
  if (!standing?.is_admin || standing.disabled_at !== null) return
  const { admins, others } = await countAround(tx, leavingId)
  if (admins <= 1 && others > 0)
    throw new AppError(
      'conflict',
      'You are the only admin. Make another user an admin first, then delete your account.',
    )
}
