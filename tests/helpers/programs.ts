import { fileURLToPath } from 'node:url'

const built = (name: string) => fileURLToPath(new URL(`../../dist/server/${name}`, import.meta.url))

/** Paths of the built programs: the server and the commands `npm run admin` and `npm run backup`. */
export const MAIN = built('main.js')
export const ADMIN_COMMAND = built('admin-command.js')
export const BACKUP_COMMAND = built('backup-command.js')

/** Prepares a test run: builds the programs if a source file has changed since the last build. */
export async function setup(): Promise<void> {
  const builder = new URL('../../bin/prepare/server-programs.mjs', import.meta.url).href
  const { prepareServer } = (await import(builder)) as { prepareServer: (node: string) => Promise<void> }
  await prepareServer(process.execPath)
}
