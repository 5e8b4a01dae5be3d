/** This program migrates the database of DATABASE_URL. migration-kills.test.ts starts it and kills it. */
import { openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'

const database = await openDatabase()
await migrateDatabase()
await database.close()
