/** Migrates the database of DATABASE_URL, for the test that kills it. */
import { openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'

const database = await openDatabase()
await migrateDatabase()
await database.close()
