/**
 * `npm run admin -- grant|revoke|remove-second-factor name@example.org`: for the operator. Stop the server first when
 * it uses the embedded database.
 */
import { openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { removeSecondFactor } from '#server/people/index.ts'
import { setAdminByEmail } from '#server/profiles/index.ts'

/** Each changes an account and returns the message to print. */
const ACTIONS: Record<string, (email: string) => Promise<string>> = {
  grant: async (email) => `${(await setAdminByEmail(email, true)).email} is now an admin.`,
  revoke: async (email) => `${(await setAdminByEmail(email, false)).email} is now a regular user.`,
  'remove-second-factor': async (email) => {
    await removeSecondFactor(email)
    return `${email} signs in with the password only, and can set up a new second factor.`
  },
}

const [name = '', email] = process.argv.slice(2)
const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
if (!action || !email) {
  console.error(`Usage: npm run admin -- ${Object.keys(ACTIONS).join('|')} name@example.org`)
  process.exit(2)
}
try {
  const database = await openDatabase()
  await migrateDatabase()
  console.log(await action(email))
  await database.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
