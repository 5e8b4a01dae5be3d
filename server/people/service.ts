import { recordAudit } from '#server/audit/index.ts'
import {
  addPasswordLinkNotice,
  createAccount,
  createPasswordLink,
  deleteAllSessions,
  deleteFactors,
  setPassword,
} from '#server/auth/index.ts'
import { asAdmin, asSystem, type Tx } from '#server/db/client.ts'
import { ADMINS_ONLY, AppError, notFound } from '#server/lib/errors.ts'
import { endStreams } from '#server/events/events.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { cancelAll } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { countAdmins, lockAdmins, updateRights } from '#server/profiles/index.ts'
import {
  LAST_ADMIN,
  type PasswordLink,
  type PeopleQuery,
  type Person,
  type PersonPatch,
} from '#shared/contract/people.ts'
import { PROFILE_FAILED } from '#shared/contract/profiles.ts'
import { findIdByEmail, findPeople, findPeopleById, lockPerson } from './queries.ts'

const EVERYBODY = 1_000_000

/** Returns a page of the users with their e-mail addresses, and the total count. Only admins may call it. */
export const listPeople = (actor: Actor, query: PeopleQuery): Promise<{ data: Person[]; count: number }> =>
  asAdmin(actor, (tx) => findPeople(tx, query))

/**
 * Grants or removes the admin right, or disables or enables an account. The sessions of a disabled account end in the same
 * transaction, its event streams and jobs after the commit. Throws 'refused' if no admin would remain, or if the caller
 * disables the caller's own account.
 */
export async function changePerson(actor: Actor, id: string, patch: PersonPatch): Promise<Person> {
  const disabling = patch.disabled === true
  if (disabling && id === actor.userId)
    throw new AppError('refused', 'You cannot disable your own account. Ask another admin to do it.')
  const changed = await asSystem(async (tx) => {
    await lockAdmins(tx)
    // The caller may have lost the right while waiting for the lock.
    const caller = await lockPerson(tx, actor.userId)
    if (!caller?.is_admin || caller.disabled_at) throw new AppError('forbidden', ADMINS_ONLY)
    return change(tx, actor, id, patch)
  })
  if (disabling) await cancelAll(id)
  return changed
}

/**
 * Grants or removes the admin right of the account with an e-mail address (ignoring case), or disables or enables the account.
 * Does not check the caller: it is for commands of the operator. Throws 'not_found', and 'refused' if no admin would remain.
 */
export async function changePersonByEmail(email: string, patch: PersonPatch): Promise<Person> {
  const changed = await asSystem(async (tx) => {
    await lockAdmins(tx)
    return change(tx, null, await idOf(tx, email), patch)
  })
  if (patch.disabled) await cancelAll(changed.id)
  return changed
}

async function change(tx: Tx, actor: Actor | null, id: string, patch: PersonPatch): Promise<Person> {
  const before = await lockPerson(tx, id)
  if (!before) throw notFound('Account')
  if (patch.is_admin === before.is_admin || patch.disabled === (before.disabled_at !== null)) return before
  const disabling = patch.disabled === true
  await updateRights(tx, id, patch.is_admin === undefined ? { disabled: disabling } : { is_admin: patch.is_admin })
  if (before.is_admin && (await countAdmins(tx)) === 0) throw new AppError('refused', LAST_ADMIN)
  if (disabling) await deleteAllSessions(tx, id)
  // A former admin must not keep receiving events for admins.
  if (disabling || patch.is_admin === false) await endStreams(tx, id)
  await recordAudit(tx, actor, { action: actionOf(patch), subjectId: id })
  return (await lockPerson(tx, id))!
}

/**
 * Returns all users, sorted by e-mail address; with `search`, only users with this text in the address or name. For commands of
 * the operator.
 */
export const listAllPeople = async (search?: string): Promise<Person[]> => {
  const query: PeopleQuery = { search, page: 1, limit: EVERYBODY, order_by: 'email.asc' }
  return (await asSystem((tx) => findPeople(tx, query))).data
}

/**
 * Creates a link with which a user can choose a new password once. The administrator passes it on to the user. The link
 * replaces earlier links. It does not remove the second factor. If the server sends e-mail, the user gets a notice.
 */
export async function createLinkFor(actor: Actor, id: string): Promise<PasswordLink> {
  const [person] = await asAdmin(actor, (tx) => findPeopleById(tx, id))
  if (!person) throw notFound('Account')
  const link = await createPasswordLink(id)
  await asSystem(async (tx) => {
    await recordAudit(tx, actor, { action: 'person.password_link', subjectId: id })
    if (mailEnabled()) await addPasswordLinkNotice(tx, person.email)
  })
  return link
}

/**
 * Creates a link with which the user with an e-mail address can choose a new password once. The link replaces earlier links.
 * Does not check the caller and sends no e-mail: it is for commands of the operator.
 */
export async function createLinkByEmail(email: string): Promise<PasswordLink> {
  const id = await asSystem((tx) => idOf(tx, email))
  const link = await createPasswordLink(id)
  await asSystem((tx) => recordAudit(tx, null, { action: 'person.password_link', subjectId: id }))
  return link
}

/** Sets the password of the account with an e-mail address, and ends its sessions. For commands of the operator. */
export async function setPasswordByEmail(email: string, password: string): Promise<void> {
  const id = await asSystem((tx) => idOf(tx, email))
  await setPassword(id, password)
  await asSystem(async (tx) => {
    await endStreams(tx, id)
    await recordAudit(tx, null, { action: 'person.password_set', subjectId: id })
  })
}

/**
 * Creates an account without a password, even if SIGN_UP does not allow new accounts. The first account of an installation
 * becomes an admin. Throws 'conflict' if the address has an account. For commands of the operator.
 */
export async function createPerson(account: { email: string; name: string }): Promise<Person> {
  const id = await createAccount(account)
  if (id === null) throw new AppError('conflict', `${account.email} has an account already.`)
  return asSystem(async (tx) => {
    await recordAudit(tx, null, { action: 'person.created', subjectId: id })
    const created = await lockPerson(tx, id)
    if (!created) throw new AppError('internal', PROFILE_FAILED)
    return created
  })
}

/** Returns the user with an e-mail address. Throws 'not_found'. For commands of the operator. */
export const findPersonByEmail = (email: string): Promise<Person> =>
  asSystem(async (tx) => (await findPeopleById(tx, await idOf(tx, email)))[0]!)

/** Returns the id of the account with an e-mail address, ignoring case. Throws 'not_found'. */
async function idOf(tx: Tx, email: string): Promise<string> {
  const id = await findIdByEmail(tx, email)
  if (id === undefined) throw new AppError('not_found', `No account has the e-mail ${email}.`)
  return id
}

/**
 * Removes the second factor of a user who has lost the authenticator app and the backup codes, and ends all sessions of the
 * user, who can then sign in with the password alone. For commands of the operator, who must verify the identity of the user.
 */
export async function removeSecondFactor(email: string): Promise<void> {
  await asSystem(async (tx) => {
    const id = await idOf(tx, email)
    if (!(await deleteFactors(tx, id))) throw new AppError('refused', `${email} has no second factor.`)
    await deleteAllSessions(tx, id)
    await endStreams(tx, id)
    await recordAudit(tx, null, { action: 'person.factor_removed', subjectId: id })
  })
}

function actionOf({ is_admin, disabled }: PersonPatch) {
  if (is_admin !== undefined) return is_admin ? 'person.admin_granted' : 'person.admin_removed'
  return disabled ? 'person.disabled' : 'person.enabled'
}
