/**
 * The program of `npm run backup -- <new folder>` and `npm run restore -- <folder>`, which back up and restore all data of an
 * installation.
 */
import { resolve } from 'node:path'
import { cacheCompiledFiles } from '#server/lib/compile-cache.ts'
import { reportFailure } from '#server/lib/report-failure.ts'

cacheCompiledFiles()
const [action, folder] = process.argv.slice(2)
if ((action !== 'backup' && action !== 'restore') || !folder) {
  console.error('Usage: npm run backup -- <new folder>, or npm run restore -- <folder>')
  process.exit(2)
}
try {
  const { restoreBackup, writeBackup } = await import('#server/backup/index.ts')
  const { openDatabase } = await import('#server/db/client.ts')
  const database = await openDatabase()
  const { tables, files, created_at } = await (action === 'backup' ? writeBackup : restoreBackup)(resolve(folder))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const content = `${rows} rows and ${files.count} files (${(files.bytes / 1e6).toFixed(1)} MB)`
  if (action === 'backup' && files.left_out)
    console.log(`Files of other programs that were left out: ${files.left_out}. The log names them.`)
  console.log(action === 'backup' ? `${folder} has ${content}.` : `${content} of ${created_at} are restored.`)
  await database.close()
} catch (error) {
  reportFailure(error)
  process.exit(1)
}
