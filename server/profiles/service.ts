import { recordAudit } from '#server/audit/index.ts'
import { asActor, asOwner, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/lib/session.ts'
import { LAST_ADMIN } from '#shared/people.ts'
import { PROFILE_FAILED, type Profile, type ProfilePatch } from '#shared/profiles.ts'
import {
  countAdmins,
  countAround,
  findProfile,
  findStanding,
  hasProfiles,
  insertProfile,
  lockAdmins,
  setAdminFlag,
  updateProfileRow,
} from './queries.ts'

/** Makes the profile of a new account; its full name is the given name, or the part of the e-mail before the @. */
export async function createProfile(account: { id: string; email: string; name?: string | null }): Promise<Profile> {
  const full_name = account.name?.trim() || (account.email.split('@')[0] ?? account.email)
  const failed = (cause?: unknown) => {
    log.error({ err: cause, user: account.id }, 'an account has no profile')
    return new AppError('internal', PROFILE_FAILED, { cause })
  }
  const row = await asOwner((tx) => insertProfile(tx, { id: account.id, email: account.email, full_name })).catch(
    (error: unknown) => {
      throw failed(error)
    },
  )
  if (!row) throw failed()
  return row
}

/** The profile of an account, made when it is missing; null for a disabled account, which nobody may use. */
export async function openProfile(account: {
  id: string
  email: string
  name?: string | null
}): Promise<Profile | null> {
  const found = await asOwner((tx) => findStanding(tx, account.id))
  if (!found) return createProfile(account)
  const { disabled_at, ...profile } = found
  return disabled_at === null ? profile : null
}

/** Whether an account may not be used. */
export const isDisabled = async (id: string): Promise<boolean> =>
  Boolean((await asOwner((tx) => findStanding(tx, id)))?.disabled_at)

/** Whether this account has the admin right at this moment, and may use it. */
export async function mayAdminister(id: string): Promise<boolean> {
  const standing = await asOwner((tx) => findStanding(tx, id))
  return standing?.is_admin === true && standing.disabled_at === null
}

/** Whether nobody has an account: the next one becomes the administrator. */
export const isEmptyInstallation = (): Promise<boolean> => asOwner(async (tx) => !(await hasProfiles(tx)))

export async function getProfile(actor: Actor, id: string): Promise<Profile> {
  const row = await asActor(actor, (tx) => findProfile(tx, id))
  if (!row) throw notFound('Profile')
  return row
}

/** Changes the caller's own profile; another person's is 'not found'. */
export async function updateProfile(actor: Actor, id: string, patch: ProfilePatch): Promise<Profile> {
  if (id !== actor.userId) throw notFound('Profile')
  const row = await asActor(actor, (tx) => updateProfileRow(tx, id, patch))
  if (!row) throw notFound('Profile')
  return row
}

/** Grants or revokes admin by e-mail; the last admin keeps the right. */
export async function setAdminByEmail(email: string, isAdmin: boolean): Promise<Profile> {
  return asOwner(async (tx) => {
    await lockAdmins(tx)
    const row = await setAdminFlag(tx, email, isAdmin)
    if (!row) throw new AppError('not_found', `No account has the e-mail ${email}.`)
    if ((await countAdmins(tx)) === 0) throw new AppError('refused', LAST_ADMIN)
    await recordAudit(tx, null, {
      action: isAdmin ? 'person.admin_granted' : 'person.admin_removed',
      subjectId: row.id,
    })
    return row
  })
}

/** Refuses that the last admin leaves while there are other people; nobody becomes or stops being an admin until `tx` ends. */
export async function keepAnAdmin(tx: Tx, leavingId: string): Promise<void> {
  await lockAdmins(tx)
  if (!(await findProfile(tx, leavingId))?.is_admin) return
  const { admins, others } = await countAround(tx, leavingId)
  if (admins <= 1 && others > 0)
    throw new AppError(
      'conflict',
      'You are the only admin. Make somebody else an admin first, then delete your account.',
    )
}
