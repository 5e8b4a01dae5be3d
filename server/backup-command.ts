/**
 * `npm run backup -- <new folder>` and `npm run restore -- <folder>`: back up and restore all data of an installation.
 */
import { resolve } from 'node:path'
import { restoreBackup, writeBackup } from '#server/backup/index.ts'
import { openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'

const [action, folder] = process.argv.slice(2)
if ((action !== 'backup' && action !== 'restore') || !folder) {
  console.error('Usage: npm run backup -- <new folder>, or npm run restore -- <folder>')
  process.exit(2)
}
try {
  const database = await openDatabase()
  if (action === 'backup') await migrateDatabase()
  const { tables, files, created_at } = await (action === 'backup' ? writeBackup : restoreBackup)(resolve(folder))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const held = `${rows} rows and ${files.count} files (${(files.bytes / 1e6).toFixed(1)} MB)`
  console.log(action === 'backup' ? `${folder} holds ${held}.` : `${held} of ${created_at} are back.`)
  await database.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
