import { AppError, notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { NO_USER_ID, type Profile, type ProfilePatch } from '#shared/contract/profiles.ts'
import { setAvatar } from './avatar.ts'
import { getProfile, updateProfile } from './service.ts'

/**
 * Changes the given fields of the caller's own profile. Throws 'not_found' for the profile of another user. `avatar_url` may
 * only be the current address, or null to remove the avatar, because a new avatar must be uploaded.
 */
export async function changeProfile(actor: Actor, id: string, patch: ProfilePatch): Promise<Profile> {
  const { avatar_url, ...rest } = patch
  if (id !== actor.userId) throw notFound('Profile')
  if (avatar_url && avatar_url !== (await getProfile(actor, id)).avatar_url) {
    const message = 'This is not your picture. Please upload the image instead.'
    throw new AppError('refused', message, { fields: { avatar_url: message } })
  }
  const saved = await updateProfile(actor, id, rest)
  return avatar_url === null ? setAvatar(actor, id, null) : saved
}

/**
 * Changes the caller's own profile for the function `rpc/update_profile`. The fields of its input have the suffix `_val`, and
 * omitted fields stay unchanged. Throws 'refused' without `user_id`, and 'not_found' for the profile of another user.
 */
export function changeProfileByCall(
  actor: Actor,
  { user_id, ...given }: { user_id?: string | null | undefined } & ProfileValues,
): Promise<Profile> {
  if (!user_id) throw new AppError('refused', NO_USER_ID)
  const columns = Object.entries(given).filter(([, value]) => value !== undefined)
  return changeProfile(actor, user_id, Object.fromEntries(columns.map(([name, value]) => [name.slice(0, -4), value])))
}

type ProfileValues = { [Column in keyof ProfilePatch as `${Column}_val`]?: ProfilePatch[Column] }
