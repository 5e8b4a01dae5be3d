import { deleteAccountData, deleteDocumentsOf } from '#server/account/index.ts'
import { recordAudit } from '#server/audit/index.ts'
import { requirePasswords } from '#server/auth/index.ts'
import { asSystem } from '#server/db/client.ts'
import { endStreams } from '#server/events/events.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import {
  changePersonByEmail,
  createLinkByEmail,
  createPerson,
  findPersonByEmail,
  listAllPeople,
  removeSecondFactor,
  setPasswordByEmail,
} from '#server/people/index.ts'
import { removeListedFiles } from '#server/storage/removed-files.ts'
import { newEmail } from '#shared/contract/accounts.ts'
import type { PasswordLink, Person, PersonPatch } from '#shared/contract/people.ts'
import type { Command, Options, Result } from './command.ts'
import { readNewPassword } from './terminal.ts'

const show = ({ id, email, full_name, is_admin, disabled_at, last_sign_in_at, created_at }: Person) => ({
  id,
  email,
  full_name,
  is_admin,
  is_disabled: disabled_at !== null,
  last_sign_in_at,
  created_at,
})

async function create(given: string, { name, admin, password }: Options): Promise<Result> {
  const email = newEmail.safeParse(given)
  if (!email.success) throw new AppError('refused', `${given} is not an e-mail address.`)
  // Checked and read before the account is created, so that a refused password leaves no account.
  if (password) requirePasswords()
  const chosen = password ? await readNewPassword() : null
  const made = await createPerson({ email: email.data, name: name ?? '' })
  const person = admin && !made.is_admin ? await changePersonByEmail(made.email, { is_admin: true }) : made
  const lines = [`${person.email} has an account${person.is_admin ? ' and is an admin' : ''}.`]
  if (chosen !== null) await setPasswordByEmail(person.email, chosen)
  if (chosen !== null || !env.PASSWORD_SIGN_IN) return { lines, data: show(person) }
  const link = await createLinkByEmail(person.email)
  return { lines: [...lines, ...linkLines(link)], data: { ...show(person), password_link: link } }
}

async function resetPassword(email: string, { password }: Options): Promise<Result> {
  if (!password) {
    const link = await createLinkByEmail(email)
    return { lines: linkLines(link), data: { email, password_link: link } }
  }
  await findPersonByEmail(email)
  await setPasswordByEmail(email, await readNewPassword())
  return {
    lines: [`${email} signs in with the new password; all sessions of the account have ended.`],
    data: { email },
  }
}

const linkLines = ({ url, expires_at }: PasswordLink) => [
  `The user chooses a password here, once, until ${expires_at}:`,
  url,
]

async function list(search: string): Promise<Result> {
  const people = await listAllPeople(search || undefined)
  const lines = people.map((person) =>
    [
      person.email,
      person.is_admin ? 'admin' : 'user',
      person.disabled_at ? 'disabled' : 'enabled',
      person.last_sign_in_at ? `signed in ${person.last_sign_in_at}` : 'never signed in',
    ].join('  '),
  )
  return {
    lines: [...lines, `${people.length} ${people.length === 1 ? 'account' : 'accounts'}`],
    data: people.map(show),
  }
}

async function remove(email: string, { yes }: Options): Promise<Result> {
  const person = await findPersonByEmail(email)
  if (!yes)
    throw new AppError('refused', `This deletes ${person.email} with all projects and papers: repeat it with --yes.`)
  await deleteDocumentsOf(person.id)
  await asSystem(async (tx) => {
    await deleteAccountData(tx, person.id, person.avatar_url)
    await endStreams(tx, person.id)
    await recordAudit(tx, null, { action: 'person.deleted', subjectId: person.id })
  })
  await removeListedFiles()
  return { lines: [`${person.email} is deleted.`], data: show(person) }
}

/**
 * Returns a command that applies `patch` to the account with an e-mail address. `done` completes the message after the address.
 */
const changing = (patch: PersonPatch, done: string): Command => ({
  usage: 'name@example.org',
  argument: 'required',
  run: async (email) => {
    const person = await changePersonByEmail(email, patch)
    return { lines: [`${person.email} ${done}.`], data: show(person) }
  },
})

/** The commands that manage accounts, by name. */
export const ACCOUNT_COMMANDS: Record<string, Command> = {
  list: { usage: '[part of a name or address]', argument: 'optional', run: list },
  create: { usage: 'name@example.org [--name "Ada"] [--admin] [--password]', argument: 'required', run: create },
  'reset-password': { usage: 'name@example.org [--password]', argument: 'required', run: resetPassword },
  disable: changing({ disabled: true }, 'is disabled and signed out'),
  enable: changing({ disabled: false }, 'is enabled'),
  delete: { usage: 'name@example.org --yes', argument: 'required', run: remove },
  grant: changing({ is_admin: true }, 'is now an admin'),
  revoke: changing({ is_admin: false }, 'is now a regular user'),
  'remove-second-factor': {
    usage: 'name@example.org',
    argument: 'required',
    run: async (email) => {
      await removeSecondFactor(email)
      const line = `${email} signs in with the password only, and can set up a new second factor.`
      return { lines: [line], data: { email } }
    },
  },
}
