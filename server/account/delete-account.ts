import { asSystem } from '#server/db/client.ts'
import { checkFreshProof, checkPassword } from '#server/auth/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { deleteJobs } from '#server/queue/queue.ts'
import { noteRemovedFiles, removeNotedFiles } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { pictureKeys } from '#server/pictures/index.ts'
import { AVATARS, avatarName, getProfile, keepAnAdmin } from '#server/profiles/index.ts'
import { HERO_BUCKET } from '#server/projects/index.ts'
import type { AccountDeletion, AccountSummary } from '#shared/contract/accounts.ts'
import { AVATAR_WIDTHS, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'
import { countBelongings, deleteAccountRows, findFiles, hasPassword } from './queries.ts'

/** Counts the data that is deleted with the caller's account, and returns whether a password confirms the deletion. */
export const summariseAccount = (actor: Actor): Promise<AccountSummary> =>
  asSystem(async (tx) => ({
    ...(await countBelongings(tx, actor.userId)),
    has_password: await hasPassword(tx, actor.userId),
  }))

/**
 * Deletes the caller's account with all its data. The rows are deleted in one transaction, which also records their files.
 * The files are removed afterwards, after a crash by the next process.
 */
export async function deleteAccount(actor: Actor, headers: Headers, proof: AccountDeletion): Promise<void> {
  const profile = await getProfile(actor, actor.userId)
  if (await asSystem((tx) => hasPassword(tx, actor.userId))) {
    if (!proof.password) throw wrong('password', 'Enter your password.')
    await checkPassword(headers, proof.password)
  } else {
    if (proof.email?.trim().toLowerCase() !== profile.email.toLowerCase())
      throw wrong('email', 'This is not the e-mail address of your account.')
    await checkFreshProof(headers)
  }

  await asSystem(async (tx) => {
    await keepAnAdmin(tx, actor.userId)
    await deleteJobs(tx, actor.userId)
    const { pdfs, pictures } = await findFiles(tx, actor.userId)
    await noteRemovedFiles(tx, [
      ...pdfs,
      ...pictures.flatMap(({ project_id, url }) =>
        pictureKeys(HERO_BUCKET, `${project_id}-`, url, PROJECT_IMAGE_WIDTHS),
      ),
      ...pictureKeys(AVATARS, avatarName, profile.avatar_url, AVATAR_WIDTHS),
    ])
    await deleteAccountRows(tx, actor.userId)
  })
  removeNotedFiles()
}

const wrong = (field: string, message: string) => new AppError('refused', message, { fields: { [field]: message } })
