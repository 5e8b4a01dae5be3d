import { recordAudit } from '#server/audit/index.ts'
import { asAdmin, asSystem } from '#server/db/client.ts'
import { ADMINS_ONLY, AppError, notFound } from '#server/lib/errors.ts'
import { endStreams } from '#server/events/events.ts'
import { cancelAll } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { countAdmins, lockAdmins } from '#server/profiles/index.ts'
import { LAST_ADMIN, type PeopleQuery, type Person, type PersonPatch } from '#shared/contract/people.ts'
import { changePersonRow, deleteFactors, deleteSessions, findIdByEmail, findPeople, lockPerson } from './queries.ts'

/** A page of the users with their e-mail addresses. Admins only. */
export const listPeople = (actor: Actor, query: PeopleQuery): Promise<{ data: Person[]; count: number }> =>
  asAdmin(actor, (tx) => findPeople(tx, query))

/**
 * Grants or removes the admin right, or disables or enables an account. A disabled account loses its sessions in the same
 * transaction, and its streams and jobs right after the commit.
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
    const before = await lockPerson(tx, id)
    if (!before) throw notFound('Account')
    if (patch.is_admin === before.is_admin || patch.disabled === (before.disabled_at !== null)) return before
    const after = await changePersonRow(
      tx,
      id,
      patch.is_admin === undefined ? { disabled: disabling } : { is_admin: patch.is_admin },
    )
    if ((await countAdmins(tx)) === 0) throw new AppError('refused', LAST_ADMIN)
    if (disabling) await deleteSessions(tx, id)
    // A former admin must not keep receiving events for admins.
    if (disabling || patch.is_admin === false) await endStreams(tx, id)
    await recordAudit(tx, actor, { action: actionOf(patch), subjectId: id })
    return after
  })
  if (disabling) await cancelAll(id)
  return changed
}

/**
 * Removes the second factor of a user without authenticator and backup codes, and ends every session. The password alone
 * then signs in. Only for the operator, who must verify the user's identity.
 */
export async function removeSecondFactor(email: string): Promise<void> {
  await asSystem(async (tx) => {
    const id = await findIdByEmail(tx, email)
    if (id === undefined) throw new AppError('not_found', `No account has the e-mail ${email}.`)
    if (!(await deleteFactors(tx, id))) throw new AppError('refused', `${email} has no second factor.`)
    await deleteSessions(tx, id)
    await endStreams(tx, id)
    await recordAudit(tx, null, { action: 'person.factor_removed', subjectId: id })
  })
}

function actionOf({ is_admin, disabled }: PersonPatch) {
  if (is_admin !== undefined) return is_admin ? 'person.admin_granted' : 'person.admin_removed'
  return disabled ? 'person.disabled' : 'person.enabled'
}
