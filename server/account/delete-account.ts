import { asSystem, type Tx } from '#server/db/client.ts'
import { checkFreshProof, checkPassword, deleteUser } from '#server/auth/index.ts'
import { cancelImportsOf } from '#server/imports/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { deleteInvitationsOf } from '#server/invitations/index.ts'
import { lockMembersWith } from '#server/members/index.ts'
import { deleteJobs, deleteJobsWithoutProject, lockJobsOf } from '#server/queue/queue.ts'
import { noteRemovedFiles, removeNotedFiles } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { pictureKeys } from '#server/pictures/index.ts'
import { AVATARS, avatarName, getProfile, keepAnAdmin } from '#server/profiles/index.ts'
import { HERO_BUCKET } from '#server/projects/index.ts'
import type { AccountDeletion, AccountSummary } from '#shared/contract/accounts.ts'
import { AVATAR_WIDTHS, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'
import {
  countBelongings,
  deleteDocumentRows,
  deleteLibrary,
  findFiles,
  findSuccessors,
  hasPassword,
  listSomeDocuments,
  settleProcessed,
} from './queries.ts'
import { applySuccessors, endMemberships, listOwnedProjects, succeed } from './successors.ts'

/**
 * Counts the data that is deleted with the caller's account. Also returns whether the account has a password, which the caller
 * must then enter to confirm the deletion.
 */
export const summarizeAccount = (actor: Actor): Promise<AccountSummary> =>
  asSystem(async (tx) => ({
    ...(await countBelongings(tx, actor.userId)),
    owned_projects: await listOwnedProjects(tx, actor.userId),
    has_password: await hasPassword(tx, actor.userId),
  }))

/**
 * Deletes the caller's account with all its data. `proof` confirms the deletion: it has the password, or for an account without
 * a password the e-mail address, together with a recent proof of identity in the session. `proof.successors` has the new owner
 * of each project that has other members and no other owner. Deletes the documents first, in several transactions, and all
 * other rows in a last transaction. Each transaction also lists the files to remove; they are removed at the end, or by the
 * next process after a crash. After a crash before the last transaction, the account still exists and the user can repeat the
 * deletion.
 */
export async function deleteAccount(actor: Actor, headers: Headers, proof: AccountDeletion): Promise<void> {
  const { email, avatar_url } = await getProfile(actor, actor.userId)
  if (await asSystem((tx) => hasPassword(tx, actor.userId))) {
    if (!proof.password) throw wrong('password', 'Enter your password.')
    await checkPassword(headers, proof.password)
  } else {
    if (proof.email?.trim().toLowerCase() !== email.toLowerCase())
      throw wrong('email', 'This is not the e-mail address of your account.')
    await checkFreshProof(headers)
  }

  const transfer = async (tx: Tx) => {
    await lockMembersWith(tx, actor.userId)
    await keepAnAdmin(tx, actor.userId)
    await applySuccessors(tx, actor.userId, proof.successors)
  }
  await asSystem(transfer)
  await deleteDocumentsOf(actor.userId)
  await asSystem(async (tx) => {
    // A project can have got members meanwhile.
    await transfer(tx)
    await deleteAccountData(tx, actor.userId, avatar_url)
  })
  removeNotedFiles()
}

/**
 * Maximum number of documents that one transaction deletes. It is limited because the database cancels a statement after a
 * minute.
 */
const AT_ONCE = 200

/**
 * Permanently deletes the documents in projects without another member, and the user's documents without a project, in
 * transactions of AT_ONCE documents. Call it before `deleteAccountData`. Throws an error for the last admin while other users
 * exist.
 */
export async function deleteDocumentsOf(userId: string): Promise<void> {
  const deleteSome = async (tx: Tx) => {
    await lockMembersWith(tx, userId)
    await keepAnAdmin(tx, userId)
    const ids = await listSomeDocuments(tx, userId, AT_ONCE)
    await lockJobsOf(tx, { documentIds: ids })
    await deleteJobs(tx, { documentIds: ids })
    await noteRemovedFiles(tx, await deleteDocumentRows(tx, ids))
    return ids.length
  }
  while ((await asSystem(deleteSome)) > 0);
}

/**
 * Deletes an account with all its rows and lists its files for removal. Transfers each of its projects with other members to
 * the member with the highest role and the longest membership, and sends the members a notice. Permanently deletes a project in
 * the trash if none of its other members may change papers. Call `removeNotedFiles` after the commit. Throws an error for the
 * last admin while other users exist.
 */
export async function deleteAccountData(tx: Tx, userId: string, avatarUrl: string | null): Promise<void> {
  await lockMembersWith(tx, userId)
  await keepAnAdmin(tx, userId)
  for (const { project_id, successor_id } of await findSuccessors(tx, userId))
    if (successor_id === null) await endMemberships(tx, userId, project_id)
    else await succeed(tx, userId, project_id, successor_id)
  await lockJobsOf(tx, { ownerId: userId })
  await settleProcessed(tx, userId)
  await deleteJobs(tx, { ownerId: userId })
  await cancelImportsOf(tx, userId)
  const { pdfs, pictures } = await findFiles(tx, userId)
  await noteRemovedFiles(tx, [
    ...pdfs,
    ...pictures.flatMap(({ project_id, url }) => pictureKeys(HERO_BUCKET, `${project_id}-`, url, PROJECT_IMAGE_WIDTHS)),
    ...pictureKeys(AVATARS, avatarName, avatarUrl, AVATAR_WIDTHS),
  ])
  await deleteInvitationsOf(tx, userId)
  await deleteLibrary(tx, userId)
  await deleteJobsWithoutProject(tx, userId)
  await deleteUser(tx, userId)
}

const wrong = (field: string, message: string) => new AppError('refused', message, { fields: { [field]: message } })
