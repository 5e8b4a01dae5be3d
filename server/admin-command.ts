/** `npm run admin -- grant|revoke name@example.org`: for the operator. With the embedded database the server must be stopped. */
import { openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { setAdminByEmail } from '#server/profiles/index.ts'

const [action, email] = process.argv.slice(2)
if ((action !== 'grant' && action !== 'revoke') || !email) {
  console.error('Usage: npm run admin -- grant|revoke name@example.org')
  process.exit(2)
}
try {
  const database = await openDatabase()
  await migrateDatabase()
  const profile = await setAdminByEmail(email, action === 'grant')
  console.log(`${profile.email} is now ${profile.is_admin ? 'an admin' : 'a regular user'}.`)
  await database.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
